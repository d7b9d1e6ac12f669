//! C text that remembers its structure, so that a failing program can be made
//! smaller without knowing C: a statement may vanish, an expression may become
//! a constant or one of its operands. What no longer compiles is not kept.

/// What a piece of text is, hence what may stand there instead.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Must stay; only its parts may change.
    Fixed,
    /// An arithmetic expression.
    Expr,
    /// A statement or a declaration.
    Stmt,
}

/// A piece of C text.
#[derive(Clone)]
pub struct Tree {
    role: Role,
    parts: Vec<Part>,
}

#[derive(Clone)]
pub enum Part {
    Text(String),
    Child(Tree),
}

impl From<&str> for Part {
    fn from(text: &str) -> Part {
        Part::Text(text.to_string())
    }
}

impl From<String> for Part {
    fn from(text: String) -> Part {
        Part::Text(text)
    }
}

impl From<&String> for Part {
    fn from(text: &String) -> Part {
        Part::Text(text.clone())
    }
}

impl From<Tree> for Part {
    fn from(tree: Tree) -> Part {
        Part::Child(tree)
    }
}

impl From<Vec<Tree>> for Part {
    fn from(trees: Vec<Tree>) -> Part {
        Part::Child(Tree::new(Role::Fixed, trees.into_iter().map(Part::Child).collect()))
    }
}

/// `expr!("(", a, " + ", b, ")")`
macro_rules! expr {
    ($($part:expr),* $(,)?) => {
        crate::tree::Tree::new(crate::tree::Role::Expr, vec![$(crate::tree::Part::from($part)),*])
    };
}

/// `stmt!("return ", value, ";\n")`
macro_rules! stmt {
    ($($part:expr),* $(,)?) => {
        crate::tree::Tree::new(crate::tree::Role::Stmt, vec![$(crate::tree::Part::from($part)),*])
    };
}

/// Like `stmt!`, for what must not vanish as a whole.
macro_rules! fixed {
    ($($part:expr),* $(,)?) => {
        crate::tree::Tree::new(crate::tree::Role::Fixed, vec![$(crate::tree::Part::from($part)),*])
    };
}

pub(crate) use {expr, fixed, stmt};

impl Tree {
    pub fn new(role: Role, parts: Vec<Part>) -> Tree {
        Tree { role, parts }
    }

    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    /// The same with other text.
    pub fn with_text(&self, change: &dyn Fn(&str) -> String) -> Tree {
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(text) => Part::Text(change(text)),
            Part::Child(tree) => Part::Child(tree.with_text(change)),
        });
        Tree { role: self.role, parts: parts.collect() }
    }

    fn write(&self, out: &mut String) {
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Child(tree) => tree.write(out),
            }
        }
    }

    /// The smallest variant found that still `fails`, in at most `attempts` questions.
    pub fn shrink(&self, mut attempts: usize, fails: &mut dyn FnMut(&Tree) -> bool) -> Tree {
        let mut best = self.clone();
        loop {
            let before = best.text().len();
            let mut position = 0;
            while position < best.count() && attempts > 0 {
                let node = best.node(&mut position.clone()).expect("counted");
                for replacement in node.smaller() {
                    let mut candidate = best.clone();
                    candidate.replace(&mut position.clone(), &replacement);
                    if candidate.text().len() >= best.text().len() {
                        continue;
                    }
                    attempts = attempts.saturating_sub(1);
                    if fails(&candidate) {
                        best = candidate;
                        break;
                    }
                }
                position += 1;
            }
            if attempts == 0 || best.text().len() == before {
                return best;
            }
        }
    }

    /// What may stand here instead, the smallest first.
    fn smaller(&self) -> Vec<Tree> {
        let mut found = Vec::new();
        match self.role {
            Role::Fixed => {}
            Role::Stmt => {
                found.push(stmt!(""));
                self.nearest(Role::Stmt, &mut found);
            }
            Role::Expr => {
                found.push(expr!("0"));
                found.push(expr!("1"));
                self.nearest(Role::Expr, &mut found);
            }
        }
        found
    }

    /// The outermost descendants with a role.
    fn nearest(&self, role: Role, found: &mut Vec<Tree>) {
        for part in &self.parts {
            match part {
                Part::Child(tree) if tree.role == role => found.push(tree.clone()),
                Part::Child(tree) => tree.nearest(role, found),
                Part::Text(_) => {}
            }
        }
    }

    fn count(&self) -> usize {
        1 + self.children().map(Tree::count).sum::<usize>()
    }

    fn children(&self) -> impl Iterator<Item = &Tree> {
        self.parts.iter().filter_map(|part| match part {
            Part::Child(tree) => Some(tree),
            Part::Text(_) => None,
        })
    }

    /// The node with a number, outermost first.
    fn node(&self, number: &mut usize) -> Option<&Tree> {
        if *number == 0 {
            return Some(self);
        }
        *number -= 1;
        self.children().find_map(|child| child.node(number))
    }

    fn replace(&mut self, number: &mut usize, by: &Tree) -> bool {
        if *number == 0 {
            *self = by.clone();
            return true;
        }
        *number -= 1;
        self.parts.iter_mut().any(|part| match part {
            Part::Child(tree) => tree.replace(number, by),
            Part::Text(_) => false,
        })
    }
}
