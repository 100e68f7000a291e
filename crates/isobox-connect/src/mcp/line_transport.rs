//! Sends and receives the messages of a child process, one per line.
//!
//! The transport of rmcp drops a line that is too long and leaves its call waiting, and may send a cancellation before
//! the request it cancels. This transport answers for lines that are too long, and keeps the order.

use std::sync::{Arc, OnceLock};

use futures_util::StreamExt;
use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot};
use tokio_util::codec::FramedRead;

use super::inbox::Inbox;
use super::lines::Lines;
use super::send_error::{SendError, encode};

/// The maximum number of queued outgoing messages.
const OUTGOING: usize = 2_048;

/// The maximum number of queued answers. A server that sends requests without reading the answers stops here and leaves
/// room for calls, which wait until it reads again or until they time out.
const ANSWERS: usize = 1_024;

/// The transport between rmcp and the child process.
pub(super) struct LineTransport<R> {
    incoming: FramedRead<R, Lines>,
    outgoing: Option<mpsc::Sender<Outgoing>>,
    inbox: Inbox,
    complaint: Complaint,
}

/// The protocol violation of the server that ended the connection, if any.
pub(super) type Complaint = Arc<OnceLock<String>>;

struct Outgoing {
    line: Vec<u8>,
    written: oneshot::Sender<Result<(), SendError>>,
}

type Written = oneshot::Receiver<Result<(), SendError>>;

impl<R: AsyncRead + Send + Unpin> LineTransport<R> {
    /// Reads messages of bounded length from `reader` and writes to `writer`.
    pub(super) fn new(
        reader: R,
        writer: impl AsyncWrite + Send + Unpin + 'static,
        inbox: Inbox,
        complaint: Complaint,
    ) -> Self {
        let (outgoing, queue) = mpsc::channel(OUTGOING);
        tokio::spawn(write(writer, queue));
        let incoming = FramedRead::new(reader, Lines::new(inbox.longest()));
        Self { incoming, outgoing: Some(outgoing), inbox, complaint }
    }
}

impl<R: AsyncRead + Send + Unpin> Transport<RoleClient> for LineTransport<R> {
    type Error = SendError;

    /// Queues the message when called, not when first polled.
    fn send(&mut self, message: ClientJsonRpcMessage) -> impl Future<Output = Result<(), SendError>> + Send + 'static {
        self.inbox.expect(&message);
        let written = self.enqueue(&message);
        async move { written?.await.unwrap_or(Err(SendError::Closed)) }
    }

    /// Receives the next message. Cancellation safe.
    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let line = self.incoming.next().await?.ok()?;
            match self.inbox.read(line, None) {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                Err(problem) => {
                    // Only the first complaint is kept; the connection ends with it.
                    let _ = self.complaint.set(problem);
                    return None;
                }
            }
        }
    }

    /// Closes the standard input of the server, which asks it to end.
    async fn close(&mut self) -> Result<(), SendError> {
        self.outgoing = None;
        Ok(())
    }
}

impl<R> LineTransport<R> {
    fn enqueue(&self, message: &ClientJsonRpcMessage) -> Result<Written, SendError> {
        let mut line = encode(message)?;
        line.push(b'\n');
        let outgoing = self.outgoing.as_ref().ok_or(SendError::Closed)?;
        let is_answer = matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_));
        if is_answer && outgoing.capacity() <= OUTGOING - ANSWERS {
            return Err(SendError::Stuck);
        }
        let (written, receiver) = oneshot::channel();
        match outgoing.try_send(Outgoing { line, written }) {
            Ok(()) => Ok(receiver),
            Err(mpsc::error::TrySendError::Full(_)) => Err(SendError::Stuck),
            Err(mpsc::error::TrySendError::Closed(_)) => Err(SendError::Closed),
        }
    }
}

async fn write(mut writer: impl AsyncWrite + Unpin, mut queue: mpsc::Receiver<Outgoing>) {
    while let Some(Outgoing { line, written }) = queue.recv().await {
        let result = writer.write_all(&line).await.map_err(|_| SendError::Closed);
        let failed = result.is_err();
        // The sender may have stopped waiting.
        let _ = written.send(result);
        if failed {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::last_words::LastWords;
    use super::*;
    use futures_util::FutureExt;
    use isobox_core::ByteSize;
    use rmcp::model::{ClientNotification, ClientResult, InitializedNotification, RequestId};

    #[tokio::test]
    async fn no_more_than_a_bounded_number_of_messages_wait_to_be_read() {
        let (writer, _never_read) = tokio::io::duplex(1);
        let mut transport = LineTransport::new(
            tokio::io::empty(),
            writer,
            Inbox::new(ByteSize::mib(1), LastWords::default(), Arc::default()),
            Complaint::default(),
        );
        let answer = || JsonRpcMessage::response(ClientResult::empty(()), RequestId::Number(1));
        let notification = || {
            let initialized = InitializedNotification::default();
            JsonRpcMessage::notification(ClientNotification::InitializedNotification(initialized))
        };
        let mut waiting = 0;
        let mut send = async |message: ClientJsonRpcMessage| {
            match transport.send(message).now_or_never() {
                None => waiting += 1,
                Some(sent) => assert!(matches!(sent, Err(SendError::Stuck))),
            }
            tokio::task::yield_now().await;
            waiting
        };
        let mut count = 0;
        for _ in 0..3 * OUTGOING {
            count = send(answer()).await;
        }
        // One of them is being written.
        assert_eq!(count, ANSWERS + 1);
        for _ in 0..3 * OUTGOING {
            count = send(notification()).await;
        }
        assert_eq!(count, OUTGOING + 1);
    }
}
