//! engine-suite
