//! Withholds what the database says to a worker for longer than the leases of the worker last.
//!
//! A proxy stands between the worker and a PostgreSQL server. What the worker writes is committed, and not acknowledged.
//! Meanwhile another worker takes over, as in [`freeze`](crate::freeze). Then the first worker gets all answers at once, and
//! must not carry out what it was about to do. Unlike a frozen worker it has run all the time.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use isobox_sim::random::Random;

use crate::freeze::{ready, timing};
use crate::{Settings, wait_for_effects};

pub(crate) async fn hold_back(settings: &Settings, random: &mut Random) -> Result<(), String> {
    for held_back in 1..=settings.held_back {
        let proxy = Proxy::start(&settings.store)?;
        let mut slow = ready(&Settings { store: proxy.url.clone(), ..settings.clone() })?;
        wait_for_effects(settings, random.below(60)).await;
        tokio::time::sleep(Duration::from_millis(random.below(20))).await;
        proxy.gate.close();
        let mut successor = ready(settings)?;
        // Until leases have expired, calls in doubt can be decided, and most of them have been.
        tokio::time::sleep(timing().lease + Duration::from_millis(1_200 + random.below(1_500))).await;
        proxy.gate.open();
        tokio::time::sleep(Duration::from_millis(200 + random.below(600))).await;
        for worker in [&mut slow, &mut successor] {
            worker.kill().and_then(|()| worker.wait()).map_err(|error| error.to_string())?;
        }
        // The next worker must be alone.
        tokio::time::sleep(timing().lease).await;
        if held_back % 10 == 0 {
            println!("{held_back} times held back");
        }
    }
    Ok(())
}

/// Passes on what one worker and the server say.
struct Proxy {
    /// The address of the store for the worker.
    url: String,
    gate: Arc<Gate>,
}

/// Lets the answers of the server through while it is open.
#[derive(Default)]
struct Gate {
    is_closed: Mutex<bool>,
    opened: Condvar,
}

impl Proxy {
    fn start(store: &str) -> Result<Self, String> {
        let told = |error: std::io::Error| format!("the proxy cannot be started: {error}");
        let (user, rest) = store.rsplit_once('@').ok_or("--held-back needs a PostgreSQL server")?;
        let (server, database) = rest.split_once('/').ok_or("the address of the store has no database")?;
        let listener = TcpListener::bind("127.0.0.1:0").map_err(told)?;
        let port = listener.local_addr().map_err(told)?.port();
        let gate = Arc::<Gate>::default();
        let (server, shared) = (server.to_owned(), Arc::clone(&gate));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if let Ok(server) = TcpStream::connect(&server) {
                    pass_on(client, server, &shared);
                }
            }
        });
        Ok(Self { url: format!("{user}@localhost:{port}/{database}"), gate })
    }
}

impl Gate {
    fn close(&self) {
        *self.lock() = true;
    }

    fn open(&self) {
        *self.lock() = false;
        self.opened.notify_all();
    }

    /// Waits while the gate is closed.
    fn pass(&self) {
        let opened = self.opened.wait_while(self.lock(), |is_closed| *is_closed);
        drop(opened.unwrap_or_else(PoisonError::into_inner));
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.is_closed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Passes on what both sides say, on two threads.
fn pass_on(client: TcpStream, server: TcpStream, gate: &Arc<Gate>) {
    let (Ok(from_client), Ok(to_server)) = (client.try_clone(), server.try_clone()) else { return };
    let gate = Arc::clone(gate);
    thread::spawn(move || copy(from_client, to_server, || {}));
    thread::spawn(move || copy(server, client, || gate.pass()));
}

/// Copies until one side has ended, and ends the other.
fn copy(mut from: TcpStream, mut to: TcpStream, pass: impl Fn()) {
    let mut buffer = [0; 16 << 10];
    let _ = to.set_nodelay(true);
    while let Ok(size @ 1..) = from.read(&mut buffer) {
        pass();
        if to.write_all(&buffer[..size]).is_err() {
            break;
        }
    }
    for end in [from, to] {
        let _ = end.shutdown(Shutdown::Both);
    }
}
