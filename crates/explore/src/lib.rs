//! explore
