//! The front end of Isobox as a sandboxed WebAssembly module. The module has no imports, and an instance answers one task.
//!
//! A host reserves memory for a task, writes the task there as JSON, and calls for the answer. Every failure is a trap, for
//! example an invalid task, or a text that needs more memory than there is.

#![expect(unsafe_code, reason = "exporting a function under a fixed name needs the unsafe attribute `no_mangle`")]

use std::sync::Mutex;

use isobox_program::Task;

static TASK: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Reserves memory for a task of `size` bytes, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn isobox_reserve(size: u32) -> *mut u8 {
    let mut task = TASK.lock().expect("the lock is not poisoned, because a panic is a trap");
    *task = vec![0; size as usize];
    task.as_mut_ptr()
}

/// Answers the task. Returns the address of the answer in the upper 32 bits and its size in the lower 32 bits.
#[unsafe(no_mangle)]
pub extern "C" fn isobox_answer() -> u64 {
    let task = TASK.lock().expect("the lock is not poisoned, because a panic is a trap");
    let size = task.len();
    let task: Task<'_> = serde_json::from_slice(&task).expect("the host wrote a task");
    let mut answer = ANSWER.lock().expect("the lock is not poisoned, because a panic is a trap");
    let answered = isobox_program::answer(&task);
    // The prepared program is about as large as the program, and the task is a little larger than that.
    *answer = Vec::with_capacity(2 * size);
    serde_json::to_writer(&mut *answer, &answered).expect("an answer is JSON");
    // The memory of an instance is replaced as a whole. So nothing is freed piece by piece.
    std::mem::forget((task, answered));
    ((answer.as_ptr().addr() as u64) << 32) | answer.len() as u64
}
