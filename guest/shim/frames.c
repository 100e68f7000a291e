/* Frames for calls from one function of the program to another. Included by quickjs.c, before its interpreter.

   The interpreter goes on with the called function in the same activation of its own: such a call needs no stack of the
   machine, and none of the stack in linear memory. Calls through built-in functions, getters, proxies and the like start
   another activation, as before. */

struct program_call {
    JSStackFrame frame;
    /* Of the caller, for when it goes on. */
    JSValue *sp;
    JSValue *local_buf;
    JSValueConst *argv;
    int argc;
    JSValueConst this_obj;
    JSValueConst new_target;
    /* Of the call itself. */
    JSValue made;          /* the object that a constructor was called for; otherwise undefined */
    uint32_t size;
    uint8_t operand_count; /* on the caller's stack, beside the arguments */
    bool is_tail;
    bool is_first;         /* of its chunk */
};

/* The stack limit counts a quarter of these frames: it is made for the C code, whose frames take far more of the machine's
   stack than of the memory that is measured. So about 10,000 calls of a small function fit into the default limit. */
#define FRAME_WEIGHT 4

#define FIRST_CHUNK (16 * 1024)
#define NEXT_CHUNK (128 * 1024)

struct frame_chunk {
    struct frame_chunk *previous, *next;
    char *start, *end;
};

/* Together with the small messages of the host, which are read before the program goes on: while a message is there, no
   function of the program is running. So both cost one page. They have a section of their own, because what is
   behind a large array that is mostly empty lies in another page than what is before it. */
static char first_frames[FIRST_CHUNK] __attribute__((aligned(8), section(".frames")));
#define small_input first_frames
#define SMALL_INPUT 8192
static struct frame_chunk first_chunk = { NULL, NULL, first_frames, first_frames + FIRST_CHUNK };
static struct frame_chunk *frame_chunk = &first_chunk;
static char *frame_top = first_frames, *frame_end = first_frames + FIRST_CHUNK;

/* Frees the chunks behind this one. They are wiped first: what is free is zero, so that snapshots stay small. */
static void free_chunks_behind(JSRuntime *rt, struct frame_chunk *chunk)
{
    struct frame_chunk *next = chunk->next;
    chunk->next = NULL;
    while (next) {
        struct frame_chunk *behind = next->next;
        memset(next, 0, (size_t)(next->end - (char *)next));
        js_free_rt(rt, next);
        next = behind;
    }
}

/* Enters the next chunk. The chunk that was left last stays, so that a loop at its border does not allocate in every turn. */
static no_inline bool enter_next_chunk(JSRuntime *rt, size_t size)
{
    struct frame_chunk *next = frame_chunk->next;
    if (next && (size_t)(next->end - next->start) < size) {
        free_chunks_behind(rt, frame_chunk);
        next = NULL;
    }
    if (!next) {
        size_t chunk_size = sizeof *next + size;
        if (chunk_size < NEXT_CHUNK)
            chunk_size = NEXT_CHUNK;
        next = js_malloc_rt(rt, chunk_size);
        if (!next)
            return false;
        next->previous = frame_chunk;
        next->next = NULL;
        next->start = (char *)(next + 1);
        next->end = (char *)next + chunk_size;
        frame_chunk->next = next;
    }
    frame_chunk = next;
    frame_top = next->start;
    frame_end = next->end;
    return true;
}

/* The record of a call whose variables take `size` bytes behind it; NULL with an exception where there is no room. */
static inline struct program_call *push_call(JSContext *ctx, size_t size)
{
    JSRuntime *rt = ctx->rt;
    size = (sizeof(struct program_call) + size + 7) & ~(size_t)7;
    if (js_check_stack_overflow(rt, size / FRAME_WEIGHT)) {
        JS_ThrowStackOverflow(ctx);
        return NULL;
    }
    bool is_first = unlikely((size_t)(frame_end - frame_top) < size);
    if (is_first && !enter_next_chunk(rt, size)) {
        JS_ThrowStackOverflow(ctx); /* the limit is larger than the memory that is left */
        return NULL;
    }
    struct program_call *call = (struct program_call *)frame_top;
    frame_top += size;
    rt->stack_limit += size / FRAME_WEIGHT;
    call->size = (uint32_t)size;
    call->is_first = is_first;
    return call;
}

/* Goes back to the chunk before. Where its last frame ends is not known, and not needed: that frame is popped next. */
static no_inline void leave_chunk(JSRuntime *rt)
{
    free_chunks_behind(rt, frame_chunk);
    frame_chunk = frame_chunk->previous;
    frame_top = frame_end = frame_chunk->end;
}

static inline void pop_call(JSRuntime *rt, struct program_call *call)
{
    rt->stack_limit -= call->size / FRAME_WEIGHT;
    frame_top = (char *)call;
    if (unlikely(call->is_first))
        leave_chunk(rt);
}
