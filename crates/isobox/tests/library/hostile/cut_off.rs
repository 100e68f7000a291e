//! A server that cannot be reached for a while, while a program runs.

use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use isobox::{Isobox, Tool, json};

use super::support::{Database, durable, result, server_port};

/// A proxy between a store and its server that can be cut.
#[derive(Clone)]
struct Cable {
    port: u16,
    is_cut: Arc<AtomicBool>,
    ends: Arc<Mutex<Vec<TcpStream>>>,
}

impl Cable {
    fn to(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("it has one").port();
        let cable = Self { port, is_cut: Arc::default(), ends: Arc::default() };
        let this = cable.clone();
        std::thread::spawn(move || {
            for near in listener.incoming().flatten() {
                if this.is_cut.load(Ordering::SeqCst) {
                    continue;
                }
                let far = TcpStream::connect(("127.0.0.1", server)).expect("the server is there");
                let ends = [&near, &far].map(|end| end.try_clone().expect("another handle"));
                this.ends.lock().expect("no thread panicked").extend(ends);
                for (mut from, mut to) in [(near.try_clone(), far.try_clone()), (far.try_clone(), near.try_clone())]
                    .map(|(from, to)| (from.expect("another handle"), to.expect("another handle")))
                {
                    std::thread::spawn(move || {
                        // Passes on the end of a connection.
                        drop(std::io::copy(&mut from, &mut to));
                        drop(to.shutdown(Shutdown::Both));
                    });
                }
            }
        });
        cable
    }

    /// Cuts all connections, and refuses new ones for this long.
    fn cut_for(&self, time: Duration) {
        self.is_cut.store(true, Ordering::SeqCst);
        for end in self.ends.lock().expect("no thread panicked").drain(..) {
            drop(end.shutdown(Shutdown::Both));
        }
        let this = self.clone();
        std::thread::spawn(move || {
            std::thread::sleep(time);
            this.is_cut.store(false, Ordering::SeqCst);
        });
    }
}

/// Returns the duration of the outage. `ISOBOX_TEST_OUTAGE` overrides it, in seconds.
#[expect(clippy::disallowed_methods, reason = "it is a setting of this test alone")]
fn outage() -> Duration {
    let seconds = std::env::var("ISOBOX_TEST_OUTAGE").ok().and_then(|seconds| seconds.parse().ok());
    Duration::from_secs(seconds.unwrap_or(2))
}

#[tokio::test]
async fn a_server_that_is_gone_for_a_while_ends_no_run_and_nothing_is_done_twice() {
    let (database, cable) = (Database::postgres(), Cable::to(server_port()));
    let (effects, cut) = (Arc::new(AtomicU32::new(0)), cable.clone());
    let counted = Arc::clone(&effects);
    let pay = Tool::new("pay", move |input| {
        counted.fetch_add(1, Ordering::SeqCst);
        if input["n"] == json!(2) {
            cut.cut_for(outage());
        }
        async { Ok(json!(1)) }
    });
    let store = database.open_through(cable.port).await;
    let isobox = Isobox::builder().store(store).tool(pay.expect("a tool")).build().expect("a runtime");
    let source = "let sum = 0; for (let n = 0; n < 6; n++) sum += await tools.pay({ n }); return sum";
    assert_eq!(result(isobox.run(durable(source)).await), json!(6));
    assert_eq!(effects.load(Ordering::SeqCst), 6);
}
