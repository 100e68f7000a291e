//! Running tests, on as many threads as there are processors.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use isobox_spec::test262::{Corpus, LeftOut, Library, Test, Unpatched, Wrapped, judge};
use tokio::runtime::Runtime;

/// What came of a test.
pub(crate) enum Verdict {
    LeftOut(LeftOut),
    Ran(Ran),
}

/// What came of a test that was run: nothing, or how it ended instead.
pub(crate) struct Ran {
    pub(crate) ours: Option<String>,
    /// Of the engine as it is released, in the same wrapper and as scripts.
    pub(crate) unpatched: Option<Compared>,
}

/// What came of a test with the engine as it is released.
pub(crate) struct Compared {
    pub(crate) wrapped: Option<String>,
    /// As scripts, which is what test262 means. Only where the wrapped one failed.
    pub(crate) scripts: Option<String>,
}

/// Runs tests, and returns what came of each, in the same order.
pub(crate) fn carry_out(corpus: &Corpus, unpatched: Option<&Path>, names: &[String]) -> Result<Vec<Verdict>, String> {
    let library = Library::start().map_err(|failure| failure.to_string())?;
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        let mut workers = Vec::new();
        for _ in 0..threads {
            // Futures that are not optimised are large.
            let thread = std::thread::Builder::new().stack_size(16 << 20);
            let work = || {
                let mut worker = Worker::new(corpus, library.clone(), unpatched)?;
                loop {
                    let index = next.fetch_add(1, Ordering::SeqCst);
                    let Some(name) = names.get(index) else { return Ok::<_, String>(()) };
                    let result = worker.run(name)?;
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
                }
            };
            workers.push(thread.spawn_scoped(scope, work).map_err(|error| error.to_string())?);
        }
        for worker in workers {
            worker.join().map_err(|_| "a worker panicked".to_owned())??;
        }
        Ok::<_, String>(())
    })?;
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

struct Worker<'a> {
    corpus: &'a Corpus,
    runtime: Runtime,
    library: Library,
    unpatched: Option<Unpatched>,
}

impl<'a> Worker<'a> {
    fn new(corpus: &'a Corpus, library: Library, unpatched: Option<&Path>) -> Result<Self, String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let unpatched = unpatched
            .map(|program| Unpatched::start(program).map_err(|error| format!("{}: {error}", program.display())));
        Ok(Self {
            corpus,
            runtime: runtime.map_err(|error| error.to_string())?,
            library,
            unpatched: unpatched.transpose()?,
        })
    }

    fn run(&mut self, name: &str) -> Result<Verdict, String> {
        let test = self.corpus.read(name)?;
        if let Some(class) = LeftOut::of(&test) {
            return Ok(Verdict::LeftOut(class));
        }
        let wrapped = Wrapped::new(&test);
        let expectation = test.metadata.expectation();
        let ending = self.runtime.block_on(self.library.run(&wrapped));
        Ok(Verdict::Ran(Ran {
            ours: judge(&expectation, &ending).err(),
            unpatched: self.compare(&test, &wrapped).map_err(|error| format!("{name}, unpatched: {error}"))?,
        }))
    }

    fn compare(&mut self, test: &Test, wrapped: &Wrapped) -> std::io::Result<Option<Compared>> {
        let Some(unpatched) = &mut self.unpatched else { return Ok(None) };
        let expectation = test.metadata.expectation();
        let problem = judge(&expectation, &unpatched.run(wrapped)?).err();
        let scripts = match &problem {
            Some(_) if !test.metadata.has_flag("module") => judge(&expectation, &unpatched.run_scripts(test)?).err(),
            Some(problem) => Some(problem.clone()),
            None => None,
        };
        Ok(Some(Compared { wrapped: problem, scripts }))
    }
}
