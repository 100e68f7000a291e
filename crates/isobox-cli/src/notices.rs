//! Problems and warnings of a workspace: what is printed of them, and how often.

use isobox::Failure;
use isobox::connector::Ready;

use crate::style::{print_warning, warn_with_hint};

/// A problem of a server or a warning of the runtime. It may quote anything, and is escaped where it is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Notice {
    message: String,
    hint: Option<String>,
}

impl From<&Failure> for Notice {
    fn from(problem: &Failure) -> Self {
        Self { message: problem.message.clone(), hint: problem.hint.clone() }
    }
}

impl Notice {
    /// Prints a notice and its hint, unless this process has printed both before.
    pub(crate) fn tell_once(&self) {
        warn_with_hint(&self.message, self.hint.as_deref());
    }
}

/// Prints the problems and warnings of a workspace, each once in a process.
pub(crate) fn tell(ready: &Ready) {
    notices(ready).iter().for_each(Notice::tell_once);
}

fn notices(ready: &Ready) -> Vec<Notice> {
    let warnings = ready.isobox.warnings().into_iter();
    let warnings = warnings.map(|warning| Notice { message: warning.to_owned(), hint: None });
    ready.problems.iter().map(Notice::from).chain(warnings).collect()
}

/// The notices that hold now and were printed. A process that runs for long prints a problem again that was solved and came
/// back.
#[derive(Debug, Default)]
pub(crate) struct Told(Vec<Notice>);

impl Told {
    /// Prints the notices of a workspace that did not hold when it was last looked at.
    pub(crate) fn tell_news(&mut self, ready: &Ready) {
        for notice in self.news(notices(ready)) {
            print_warning(&notice.message, notice.hint.as_deref());
        }
    }

    fn news(&mut self, notices: Vec<Notice>) -> Vec<Notice> {
        let news = notices.iter().filter(|notice| !self.0.contains(notice)).cloned().collect();
        self.0 = notices;
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_fails_again_in_the_same_words_is_told_again_with_its_hint() {
        let down = |name: &str| Notice { message: format!("{name} is down"), hint: Some("start it".to_owned()) };
        let mut told = Told::default();
        assert_eq!(told.news(vec![down("maps")]), [down("maps")]);
        assert!(told.news(vec![down("maps")]).is_empty());
        assert_eq!(told.news(vec![down("maps"), down("mail")]), [down("mail")]);
        assert!(told.news(Vec::new()).is_empty());
        assert_eq!(told.news(vec![down("maps")]), [down("maps")]);
        let other = Notice { hint: Some("log in".to_owned()), ..down("maps") };
        assert_eq!(told.news(vec![other.clone()]), [other]);
    }
}
