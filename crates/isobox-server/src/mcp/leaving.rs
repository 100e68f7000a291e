//! Distinguishes a cancelled call from a disconnected client: the first ends the program, the second only stops it.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

use super::Executed;

/// A reader that notices when the client closes its end.
pub(super) struct Watched<R> {
    pub(super) reader: R,
    pub(super) has_left: CancellationToken,
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.reader).poll_read(context, buffer));
        let is_end = buffer.filled().len() == before && buffer.remaining() > 0;
        if read.is_err() || is_end {
            self.has_left.cancel();
        }
        Poll::Ready(read)
    }
}

/// Runs the work of a call. `given_up` is cancelled when the client cancels the call and also when it disconnects. A
/// cancelled call cancels the token of the work; a disconnect drops the work.
pub(super) async fn unless_left<W: Future<Output = Executed>>(
    given_up: CancellationToken,
    has_left: &CancellationToken,
    work: impl FnOnce(CancellationToken) -> W,
) -> Executed {
    let token = CancellationToken::new();
    let mut work = std::pin::pin!(work(token.clone()));
    tokio::select! {
        biased;
        executed = &mut work => return executed,
        () = given_up.cancelled() => {}
    }
    if has_left.is_cancelled() {
        return Executed { text: "the client has disconnected".to_owned(), is_error: true, ..Executed::default() };
    }
    token.cancel();
    work.await
}
