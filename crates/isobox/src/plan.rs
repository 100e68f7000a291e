//! Runs a program with its effects held back.

use isobox_core::Plan;

use crate::{Isobox, Run};

impl Isobox {
    /// Runs a program with its effects held back, and returns the calls that it would make.
    ///
    /// Tools that only read ([`Tool::read_only`](crate::Tool::read_only), or the hint of a trusted connector) are called, unless
    /// the call needs approval. All others answer with a stand-in that is made from the output schema, or from results that were
    /// seen. Policy, limits and checks of inputs are those of a real run; nothing is stored, and the observer gets no events.
    ///
    /// ```
    /// use isobox::{Isobox, Tool, json};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), isobox::Failure> {
    /// let list = Tool::new("files.list", |_| async { Ok(json!(["a.txt"])) })?.read_only(true);
    /// let delete = Tool::new("files.delete", |_| async { panic!("it is never called") })?;
    /// let isobox = Isobox::builder().tool(list).tool(delete).build()?;
    /// let plan = isobox.plan("for (const name of await tools.files.list()) await tools.files.delete({ name })").await;
    /// assert_eq!(plan.calls[1].path, "files.delete");
    /// assert_eq!(plan.calls[1].input, json!({ "name": "a.txt" }));
    /// assert!(plan.calls[1].certain);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn plan(&self, run: impl Into<Run>) -> Plan {
        let mut run = run.into();
        let (identity, cancellation) = (self.identify(&run), run.cancellation.take());
        match (self.execution(identity, run), cancellation) {
            (Err(failure), _) => Plan::failed(failure),
            (Ok(execution), None) => isobox_core::plan(&self.host, execution, std::future::pending()).await,
            (Ok(execution), Some(token)) => isobox_core::plan(&self.host, execution, token.cancelled()).await,
        }
    }
}
