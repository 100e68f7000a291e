//! The front end of Isobox behind the wall: a module without imports that answers one task and is thrown away.
//!
//! A host reserves room for a task, writes it there as JSON, and asks for the answer. Whatever goes wrong, from a task that is
//! none to a text that takes all memory, is a trap.

#![expect(unsafe_code, reason = "exported names are part of what a linker has to be trusted with")]

use std::sync::Mutex;

use isobox_program::Task;

static TASK: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Makes room for a task of this size, and says where.
#[unsafe(no_mangle)]
pub extern "C" fn isobox_reserve(size: u32) -> *mut u8 {
    let mut task = TASK.lock().expect("nothing has panicked: that is a trap");
    *task = vec![0; size as usize];
    task.as_mut_ptr()
}

/// Answers the task: the address of the answer in the upper half, its size in the lower one.
#[unsafe(no_mangle)]
pub extern "C" fn isobox_answer() -> u64 {
    let task = TASK.lock().expect("nothing has panicked: that is a trap");
    let task: Task<'_> = serde_json::from_slice(&task).expect("the host wrote a task");
    let mut answer = ANSWER.lock().expect("nothing has panicked: that is a trap");
    *answer = serde_json::to_vec(&isobox_program::answer(&task)).expect("an answer is JSON");
    ((answer.as_ptr().addr() as u64) << 32) | answer.len() as u64
}
