#!/usr/bin/env python3
"""Builds the guest image: QuickJS-ng + shim.c + prelude/ -> isobox-guest.wasm, and its hash.

    guest/build.py            build the image and keep it
    guest/build.py --check    build it and fail unless it is, byte for byte, the one that is kept
    guest/build.py --prelude  print the prelude and its parts as JSON, for the tests

Needs cargo and python. The compiler is zig, pinned and installed from PyPI into target/; the QuickJS-ng sources are
those inside the crate rquickjs-sys, pinned by builder/Cargo.lock. The build is reproducible: same inputs, same bytes.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

GUEST = Path(__file__).resolve().parent
WORK = GUEST.parent / "target" / "guest"
IMAGE = GUEST / "isobox-guest.wasm"
HASH = GUEST / "isobox-guest.wasm.sha256"

# The shadow stack of the image. The stack limit of a program is checked against it; the rest is room for the C code
# that runs after the last check.
STACK_SIZE = 1024 * 1024 + 128 * 1024

SOURCES = ["libregexp.c", "libunicode.c", "dtoa.c"]
COMPILE = [
    "--target=wasm32-wasi", "-std=gnu11", "-O3", "-DNDEBUG", "-D_GNU_SOURCE", "-DEMSCRIPTEN=1", "-mbulk-memory",
    "-mmutable-globals", "-fno-sanitize=all", "-funsigned-char", "-fwrapv", "-w",
]
LINK = [
    "--no-entry", "--stack-first", "-z", f"stack-size={STACK_SIZE}", "--gc-sections", "--strip-all",
    "--export=__stack_pointer",
]

# The prelude is one function of these, in this order; see shim.c for what it is given.
PRELUDE = [
    "intrinsics.js", "parts.js", "format.js", "console.js", "encoding.js", "clone.js", "timers.js", "bytes.js", "events.js",
    "crypto.js", "process.js", "punycode.js", "url_host.js", "url_parser.js", "url.js", "url_search_params.js", "modules.js",
    "main.js",
]

# Parts of the prelude that are compiled when a program first uses them: packed texts until then. See prelude/parts.js.
PARTS = {
    "absent": ["absent.js"],
    "assert": ["node_assert.js"],
    "buffer": ["node_buffer.js"],
    "bytes": ["buffer.js"],
    "crypto": ["node_crypto.js"],
    "equality": ["deep_equal.js"],
    "events": ["node_events.js"],
    "inspect": ["inspect.js", "inspect_objects.js"],
    "path": ["node_path.js"],
    "pattern": ["url_pattern_parser.js", "url_pattern.js"],
    "querystring": ["node_querystring.js"],
    "table": ["table.js"],
    "timers": ["node_timers.js"],
    "url": ["node_url.js"],
    "util": ["node_util.js"],
    "web": ["blob.js", "headers.js", "request.js"],
}

# What is changed in the scratch copy of QuickJS-ng: (file, text, times it occurs, replacement).
CHANGES = [
    # Deep recursion throws a RangeError: upstream switches the check off for wasm.
    ("quickjs.c", "#if defined(__wasi__)\n    rt->stack_limit = 0; /* no limit */\n#else\n", 1, "#if 1\n"),
    # A frame larger than what is left of the stack is an overflow too: the stack is at the bottom of memory, so that the
    # plain subtraction would wrap round.
    ("quickjs.c", "    sp = js_get_stack_pointer() - alloca_size;\n    return unlikely(sp < rt->stack_limit);\n", 1,
     "    sp = js_get_stack_pointer();\n"
     "    return unlikely(sp < rt->stack_limit || sp - rt->stack_limit < alloca_size);\n"),
    # An error knows what made it, where the program can neither read nor write it.
    ("quickjs.c", "        JSValue object_data;    /* for JS_SetObjectData()", 1,
     "        struct { JSValue object_data; uint32_t origin; } error;\n"
     "        JSValue object_data;    /* for JS_SetObjectData()"),
    ("quickjs.c", "    case JS_CLASS_ERROR:\n    case JS_CLASS_NUMBER:\n    case JS_CLASS_STRING:\n", 1,
     "    case JS_CLASS_ERROR:\n        p->u.error.origin = ORIGIN_NONE;\n"
     "    case JS_CLASS_NUMBER:\n    case JS_CLASS_STRING:\n"),
    ("quickjs.c", '        JS_ThrowInternalError(ctx, "out of memory");\n        rt->in_out_of_memory = false;\n', 1,
     '        isobox_release_reserve();\n        JS_ThrowInternalError(ctx, "out of memory");\n'
     "        if (!JS_IsError(rt->current_exception))\n            JS_Throw(ctx, isobox_memory_error());\n"
     "        isobox_mark_error(rt, ORIGIN_MEMORY);\n        rt->in_out_of_memory = false;\n"),
    ("quickjs.c", '    return JS_ThrowRangeError(ctx, "Maximum call stack size exceeded");\n', 1,
     '    JS_ThrowRangeError(ctx, "Maximum call stack size exceeded");\n'
     "    isobox_mark_error(ctx->rt, ORIGIN_STACK);\n    return JS_EXCEPTION;\n"),
    ("quickjs.c", "JSValue JS_ThrowOutOfMemory(JSContext *ctx)\n{", 1,
     "static void isobox_release_reserve(void);\nstatic JSValue isobox_memory_error(void);\n\n"
     "static void isobox_mark_error(JSRuntime *rt, uint32_t origin)\n{\n"
     "    if (JS_IsError(rt->current_exception))\n"
     "        JS_VALUE_GET_OBJ(rt->current_exception)->u.error.origin = origin;\n}\n\n"
     "JSValue JS_ThrowOutOfMemory(JSContext *ctx)\n{"),
    # It is known where a value was thrown.
    ("quickjs.c", "        CASE(OP_throw):\n            JS_Throw(ctx, *--sp);\n", 1,
     "        CASE(OP_throw):\n            sf->cur_pc = pc;\n            isobox_note_throw(sf, sp[-1]);\n"
     "            JS_Throw(ctx, *--sp);\n"),
    ("quickjs.c", "static int find_line_num(", 1,
     "static void isobox_note_throw(JSStackFrame *frame, JSValueConst value);\n"
     "static void isobox_note_catch(JSValueConst value);\n\nstatic int find_line_num("),
    # Columns count characters, from the first line on; positions are those of the author's text.
    ("quickjs.c", "max_int(1, s->mark - s->eol)", 2, "isobox_column(s->token.line_start, s->token.ptr)"),
    ("quickjs.c", "        err_col_num = (int)(s->token.ptr - s->token.line_start) + 1;\n", 1,
     "        err_col_num = isobox_column(s->token.line_start, s->token.ptr);\n"),
    ("quickjs.c", "                (int)(s->token.ptr - s->line_start) + 1;\n", 1,
     "                isobox_column(s->line_start, s->token.ptr);\n"),
    ("quickjs.c", "    s->eol = s->buf_ptr;\n", 1, "    s->eol = s->buf_ptr - 1;\n"),
    ("quickjs.c", "    *col = col_num;\n    return line_num;\nfail:\n", 1,
     "    *col = col_num;\n    if (b->filename) {\n"
     "        const char *file = JS_AtomToCString(ctx, b->filename);\n"
     "        line_num = isobox_map_position(file, line_num, col);\n"
     "        JS_FreeCString(ctx, file);\n    }\n    return line_num;\nfail:\n"),
    ("quickjs.c", "    rt->in_build_stack_trace = true;\n    error_obj = js_dup(error_val);\n", 1,
     "    rt->in_build_stack_trace = true;\n    error_obj = js_dup(error_val);\n"
     "    if (filename && line_num != -1)\n"
     "        line_num = isobox_map_position(filename, line_num, &col_num);\n"),
    ("quickjs.c", "                build_backtrace(s->ctx, s->ctx->rt->current_exception, JS_UNDEFINED,\n", 1,
     "                isobox_forget_stack(s->ctx);\n"
     "                build_backtrace(s->ctx, s->ctx->rt->current_exception, JS_UNDEFINED,\n"),
    ("quickjs.c", "static __exception int js_parse_postfix_expr(JSParseState *s, int parse_flags)\n{", 1,
     "/* An error that was made outside of any function has an empty stack, which would keep out a real one. */\n"
     "static void isobox_forget_stack(JSContext *ctx)\n{\n    JSValue error = ctx->rt->current_exception;\n"
     "    if (JS_IsError(error)) {\n        JS_FreeValue(ctx, JS_VALUE_GET_OBJ(error)->u.object_data);\n"
     "        JS_VALUE_GET_OBJ(error)->u.object_data = JS_UNDEFINED;\n    }\n}\n\n"
     "static __exception int js_parse_postfix_expr(JSParseState *s, int parse_flags)\n{"),
    # Every statement and every property read has a position, so that an error always does.
    ("quickjs.c", "    switch(tok = s->token.val) {\n    case '{':\n        if (js_parse_block(s))\n", 1,
     "    if (s->token.val != '{')\n        emit_source_loc(s);\n"
     "    switch(tok = s->token.val) {\n    case '{':\n        if (js_parse_block(s))\n"),
    ("quickjs.c", "                    emit_op(s, OP_get_field);\n                    emit_atom(s, s->token.u.ident.atom);\n"
     "                }\n            }\n            if (next_token(s))\n", 1,
     "                    emit_source_loc(s);\n"
     "                    emit_op(s, OP_get_field);\n                    emit_atom(s, s->token.u.ident.atom);\n"
     "                }\n            }\n            if (next_token(s))\n"),
    # So do an index, a private name, a pattern and an operator.
    ("quickjs.c", "                emit_op(s, OP_scope_get_private_field);\n                emit_atom(s, s->token.u.ident.atom);\n"
     "                emit_u16(s, s->cur_func->scope_level);\n            } else {\n", 1,
     "                emit_source_loc(s);\n"
     "                emit_op(s, OP_scope_get_private_field);\n                emit_atom(s, s->token.u.ident.atom);\n"
     "                emit_u16(s, s->cur_func->scope_level);\n            } else {\n"),
    ("quickjs.c", "            int prev_op;\n\n        parse_array_access:\n", 1,
     "            int prev_op, index_line, index_column;\n\n        parse_array_access:\n"
     "            index_line = s->token.line_num;\n            index_column = s->token.col_num;\n"),
    ("quickjs.c", "            } else {\n                emit_op(s, OP_get_array_el);\n            }\n        } else {\n            break;\n", 1,
     "            } else {\n                emit_source_loc_at(s, index_line, index_column);\n"
     "                emit_op(s, OP_get_array_el);\n            }\n        } else {\n            break;\n"),
    ("quickjs.c", "        /* throw an exception if the value cannot be converted to an object */\n"
     "        emit_op(s, OP_to_object);\n        if (has_ellipsis) {\n", 1,
     "        /* throw an exception if the value cannot be converted to an object */\n"
     "        emit_source_loc(s);\n        emit_op(s, OP_to_object);\n        if (has_ellipsis) {\n"),
    ("quickjs.c", "        block_env.has_iterator = true;\n        emit_op(s, OP_for_of_start);\n        has_spread = false;\n", 1,
     "        block_env.has_iterator = true;\n        emit_source_loc_at(s, source_line_num, source_col_num);\n"
     "        emit_op(s, OP_for_of_start);\n        has_spread = false;\n"),
    ("quickjs.c", "    for(;;) {\n        op = s->token.val;\n        switch(level) {\n        case 1:\n", 1,
     "    for(;;) {\n        int operator_line = s->token.line_num, operator_column = s->token.col_num;\n"
     "        op = s->token.val;\n        switch(level) {\n        case 1:\n"),
    ("quickjs.c", "        if (js_parse_expr_binary(s, level - 1, parse_flags))\n            return -1;\n        emit_op(s, opcode);\n", 1,
     "        if (js_parse_expr_binary(s, level - 1, parse_flags))\n            return -1;\n"
     "        emit_source_loc_at(s, operator_line, operator_column);\n        emit_op(s, opcode);\n"),
    ("quickjs.c", "    case TOK_VOID:\n        op = s->token.val;\n        if (next_token(s))\n            return -1;\n"
     "        if (js_parse_unary(s, PF_POW_FORBIDDEN))\n            return -1;\n        switch(op) {\n", 1,
     "    case TOK_VOID:\n        op = s->token.val;\n"
     "        int operator_line = s->token.line_num, operator_column = s->token.col_num;\n"
     "        if (next_token(s))\n            return -1;\n"
     "        if (js_parse_unary(s, PF_POW_FORBIDDEN))\n            return -1;\n"
     "        if (op != '!' && op != TOK_VOID)\n"
     "            emit_source_loc_at(s, operator_line, operator_column);\n        switch(op) {\n"),
    # The stack of an error is the program's: frames of the prelude are nobody's business, and their functions less so.
    ("quickjs.c", "            backtrace_barrier = b->backtrace_barrier;\n        }\n\n        if (has_prepare) {\n", 1,
     "            backtrace_barrier = b->backtrace_barrier;\n"
     "            if (b->filename == isobox_prelude_file)\n                continue;\n        }\n\n"
     "        if (has_prepare) {\n"),
    # A value that is nested too deeply to be written is told from a stack that overflows elsewhere meanwhile.
    ("quickjs.c", "    if (js_check_stack_overflow(ctx->rt, 0)) {\n        JS_ThrowStackOverflow(ctx);\n        goto exception;\n    }\n\n"
     "    if (JS_IsObject(val)) {\n        p = JS_VALUE_GET_OBJ(val);\n        cl = p->class_id;\n", 1,
     "    if (js_check_stack_overflow(ctx->rt, 0)) {\n        isobox_is_too_deep = true;\n"
     "        JS_ThrowStackOverflow(ctx);\n        goto exception;\n    }\n\n"
     "    if (JS_IsObject(val)) {\n        p = JS_VALUE_GET_OBJ(val);\n        cl = p->class_id;\n"),
    # A call is where its function is named, and a throw where its operand starts, whatever stands in between.
    ("quickjs.c", "            int opcode, arg_count, drop_count;\n\n            /* function call */\n        parse_func_call:\n", 1,
     "            int opcode, arg_count, drop_count, call_line, call_column;\n\n            /* function call */\n"
     "        parse_func_call:\n            call_line = s->last_line_num;\n            call_column = s->last_col_num;\n"),
    ("quickjs.c", "            parse_func_call2:\n                emit_source_loc(s);\n", 1,
     "            parse_func_call2:\n                if (call_type == FUNC_CALL_TEMPLATE) {\n"
     "                    call_line = s->last_line_num;\n                    call_column = s->last_col_num;\n"
     "                }\n"),
    ("quickjs.c", "                /* apply function call */\n                switch(opcode) {\n", 1,
     "                /* apply function call */\n                emit_source_loc_at(s, call_line, call_column);\n"
     "                switch(opcode) {\n"),
    ("quickjs.c", "            emit_func_call:\n                switch(opcode) {\n", 1,
     "            emit_func_call:\n                emit_source_loc_at(s, call_line, call_column);\n"
     "                switch(opcode) {\n"),
    ("quickjs.c", "        emit_source_loc(s);\n        if (js_parse_expr(s))\n            goto fail;\n"
     "        emit_op(s, OP_throw);\n", 1,
     "        int throw_line = s->token.line_num, throw_column = s->token.col_num;\n"
     "        if (js_parse_expr(s))\n            goto fail;\n"
     "        emit_source_loc_at(s, throw_line, throw_column);\n        emit_op(s, OP_throw);\n"),
    # Functions do not keep a copy of their text.
    ("quickjs.c", "            fd->source = js_strndup(ctx, (const char *)ptr, fd->source_len);\n"
     "            if (!fd->source)\n                goto fail;\n", 1, "            fd->source_len = 0;\n"),
    ("quickjs.c", "        fd->source = js_strndup(ctx, (const char *)ptr, fd->source_len);\n"
     "        if (!fd->source)\n            goto fail;\n", 1, "        fd->source_len = 0;\n"),
    ("quickjs.c", "    ctor_fd->source = js_strndup(ctx, (const char *)class_start_ptr, ctor_fd->source_len);\n"
     "    if (!ctor_fd->source)\n        goto fail;\n", 1, "    ctor_fd->source_len = 0;\n"),
    # An instruction that ends a path has its own position, not that of the dead code behind it.
    ("quickjs.c", "        case OP_throw:\n        case OP_throw_error:\n"
     "            pos_next = skip_dead_code(s, bc_buf, bc_len, pos_next,\n"
     "                                      &line_num, &col_num);\n            goto no_change;\n", 1,
     "        case OP_throw:\n        case OP_throw_error:\n"
     "            add_pc2line_info(s, bc_out.size, line_num, col_num);\n"
     "            dbuf_put(&bc_out, bc_buf + pos, len);\n"
     "            pos_next = skip_dead_code(s, bc_buf, bc_len, pos_next,\n"
     "                                      &line_num, &col_num);\n            break;\n"),
    # A value that is no object, once it is caught, says nothing about an equal one that a promise is rejected with later.
    ("quickjs.c", "                    *sp++ = rt->current_exception;\n                    rt->current_exception = JS_UNINITIALIZED;\n", 1,
     "                    isobox_note_catch(rt->current_exception);\n"
     "                    *sp++ = rt->current_exception;\n                    rt->current_exception = JS_UNINITIALIZED;\n"),
    # JSON.stringify remembers where it is in an array of its own, which no setter on Array.prototype may see.
    ("quickjs.c", "        v = js_array_push(ctx, jsc->stack, 1, vc(&val), 0);\n", 1,
     "        v = isobox_append(ctx, jsc->stack, val);\n"),
    ("quickjs.c", "static int js_json_to_str(JSContext *ctx, JSONStringifyContext *jsc,\n", 1,
     "static JSValue isobox_append(JSContext *ctx, JSValueConst array, JSValueConst value);\n\n"
     "static int js_json_to_str(JSContext *ctx, JSONStringifyContext *jsc,\n"),
    # As in other engines: Promise.any says what happened, and a microtask has no receiver.
    ("quickjs.c", "    JS_DefinePropertyValueConst(ctx, obj, JS_ATOM_errors, errors,\n"
     "                               JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);\n    return obj;\n", 1,
     "    JS_DefinePropertyValueConst(ctx, obj, JS_ATOM_errors, errors,\n"
     "                               JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);\n"
     '    JS_DefinePropertyValue(ctx, obj, JS_ATOM_message, JS_NewString(ctx, "All promises were rejected"),\n'
     "                           JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);\n    return obj;\n"),
    ("quickjs.c", "    return JS_Call(ctx, argv[0], ctx->global_obj, 0, NULL);\n", 1,
     "    return JS_Call(ctx, argv[0], JS_UNDEFINED, 0, NULL);\n"),
    # Small whole numbers are read the short way, in programs and in JSON; and what is left of JSON's numbers without libc's
    # strtod, which computes with 128 bits that wasm does not have.
    ("quickjs.c", "static JSValue js_atof(JSContext *ctx, const char *str, const char **pp,\n", 1,
     "/* The whole number of up to nine digits that stands here; NULL where none does, or where it may go on. */\n"
     "static const uint8_t *isobox_read_small(const uint8_t *p, int32_t *value)\n{\n"
     "    const uint8_t *start = p;\n    int32_t number = 0;\n"
     "    while (*p >= '0' && *p <= '9' && p - start < 9)\n        number = number * 10 + (*p++ - '0');\n"
     "    *value = number;\n"
     "    if (p == start || (*start == '0' && p != start + 1))\n        return NULL;\n"
     "    bool may_go_on = *p >= 0x80 || *p == '.' || *p == '_' || *p == '$' || *p == '\\\\'\n"
     "        || (*p >= '0' && *p <= '9') || ((*p | 0x20) >= 'a' && (*p | 0x20) <= 'z');\n"
     "    return may_go_on ? NULL : p;\n}\n\n"
     "static JSValue js_atof(JSContext *ctx, const char *str, const char **pp,\n"),
    ("quickjs.c", "            ret = js_atof(s->ctx, (const char *)p, (const char **)&p, 0,\n"
     "                          flags);\n", 1,
     "            int32_t small;\n"
     "            const uint8_t *small_end = isobox_read_small(p, &small);\n"
     "            if (small_end) {\n                p = small_end;\n                s->token.val = TOK_NUMBER;\n"
     "                s->token.u.num.val = js_int32(small);\n                break;\n            }\n"
     "            ret = js_atof(s->ctx, (const char *)p, (const char **)&p, 0,\n"
     "                          flags);\n"),
    ("quickjs.c", "    s->token.u.num.val = js_float64(strtod((const char *)p_start, NULL));\n", 1,
     "    int32_t small;\n    JSATODTempMem memory;\n"
     "    const uint8_t *digits = p_start + (*p_start == '-' || *p_start == '+');\n"
     "    if (isobox_read_small(digits, &small) == p && (small || *p_start != '-'))\n"
     "        s->token.u.num.val = js_int32(*p_start == '-' ? -small : small);\n"
     "    else\n        s->token.u.num.val = js_float64(js_atod((const char *)p_start, NULL, 10, 0, &memory));\n"),
    # Buffers that grow start with more than a few bytes.
    ("cutils.h", "        if (size < new_size || size < s->allocated_size) /* overflow test */\n", 1,
     "        if (size < 64)\n            size = 64;\n"
     "        if (size < new_size || size < s->allocated_size) /* overflow test */\n"),
    ("quickjs.c", "    new_size = max_int(req_size, *psize * 3 / 2);\n    assert(elem_size > 0", 1,
     "    new_size = max_int(max_int(req_size, 4), *psize * 3 / 2);\n    assert(elem_size > 0"),
    ("quickjs.c", '"BigInt are forbidden in JSON.stringify"', 1, '"a BigInt cannot be written as JSON"'),
    # Smaller arenas: most programs are small, and each size they use costs them an arena.
    ("quickjs.c", "#define JS_ARENA_SIZE              4096\n", 1, "#define JS_ARENA_SIZE              1024\n"),
    ("quickjs.c", 'JS_ThrowInternalError(ctx, "out of memory in regexp execution");', 2, "JS_ThrowOutOfMemory(ctx);"),
    # The message a program sees where it tries to make code from text.
    ("quickjs.c", '"eval is not supported"', 1, '"code cannot be made from text here"'),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the kept image instead of replacing it")
    parser.add_argument("--prelude", action="store_true", help="print the prelude as JSON and build nothing")
    arguments = parser.parse_args()
    if arguments.prelude:
        main, parts = join_prelude()
        json.dump({"main": main, "parts": parts}, sys.stdout)
        return

    zig = install_zig()
    crate = find_sources()
    scratch = prepare_sources(crate)
    linked = compile_guest(zig, crate, scratch)
    image = pre_initialise(linked)
    digest = hashlib.sha256(image.read_bytes()).hexdigest()

    if arguments.check:
        kept = hashlib.sha256(IMAGE.read_bytes()).hexdigest()
        recorded = HASH.read_text().split()[0]
        if not digest == kept == recorded:
            sys.exit(f"the kept guest image is not what build.py builds:\n  built    {digest}\n  kept     {kept}\n"
                     f"  recorded {recorded}\nRun guest/build.py and commit the result.")
        print(f"guest image {digest[:16]} is what build.py builds ({image.stat().st_size} bytes)")
    else:
        shutil.copyfile(image, IMAGE)
        HASH.write_text(f"{digest}  {IMAGE.name}\n")
        print(f"wrote {IMAGE.name}: {image.stat().st_size} bytes, sha256 {digest}")


def install_zig() -> list[str]:
    requirements = GUEST / "requirements.txt"
    home = WORK / ("zig-" + hashlib.sha256(requirements.read_bytes()).hexdigest()[:12])
    python = home / "bin" / "python"
    marker = home / "complete"
    if not marker.exists():
        print("installing zig from PyPI …", flush=True)
        shutil.rmtree(home, ignore_errors=True)
        venv.create(home, with_pip=True)
        run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes",
             "-r", requirements])
        marker.touch()
    return [str(python), "-m", "ziglang"]


def find_sources() -> Path:
    manifest = GUEST / "builder" / "Cargo.toml"
    run(["cargo", "fetch", "--quiet", "--locked", "--manifest-path", manifest])
    metadata = json.loads(run(["cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path", manifest],
                              capture=True))
    for package in metadata["packages"]:
        if package["name"] == "rquickjs-sys":
            return Path(package["manifest_path"]).parent
    sys.exit("rquickjs-sys is not in builder/Cargo.lock")


def prepare_sources(crate: Path) -> Path:
    scratch = WORK / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(crate / "quickjs", scratch, ignore=lambda _, names: [
        name for name in names if not name.endswith((".c", ".h"))])
    for name, old, times, new in CHANGES:
        path = scratch / name
        text = path.read_text()
        if text.count(old) != times:
            sys.exit(f"{name}: expected {times} of this text and found {text.count(old)}:\n{old}")
        path.write_text(text.replace(old, new))
    (scratch / "prelude.h").write_text(prelude_header(*join_prelude()))
    shutil.copyfile(GUEST / "shim.c", scratch / "shim.c")
    shutil.copytree(GUEST / "shim", scratch / "shim")
    return scratch


def join_prelude() -> tuple[str, dict[str, str]]:
    """The prelude as one function, and its parts as functions of the names of the prelude that they use."""
    main = "\n".join((GUEST / "prelude" / name).read_text("utf-8") for name in PRELUDE)
    known = declared_names(main)
    used: set[str] = set()
    parts = {}
    for part, files in PARTS.items():
        text = "\n".join((GUEST / "prelude" / "parts" / name).read_text("utf-8") for name in files)
        own = declared_names(text)
        text = without_comments(text)
        needed = sorted(set(re.findall(r"[A-Za-z_$][\w$]*", text)) & known - own)
        used.update(needed)
        parts[part] = (f"(function (shared) {{\nconst {{ {', '.join(needed)} }} = shared;\n{text}\n"
                       f"return {{ {', '.join(sorted(own))} }};\n}})\n")
    main = (f"(function (host) {{\n{main}\nconst shared = {{ {', '.join(sorted(used))} }};\n"
            "return { runModule, runStep, describe, importModule, runTicks };\n})\n")
    return main, parts


def declared_names(text: str) -> set[str]:
    """The names that a text declares outside of all functions: such a declaration starts its line."""
    names = set(re.findall(r"^(?:const|let|class|(?:async )?function\*?) ([A-Za-z_$][\w$]*)", text, re.MULTILINE))
    for pattern in re.findall(r"^const \{([^}]*)\} =", text, re.MULTILINE):
        names.update(name.split(":")[-1].strip() for name in pattern.split(",") if name.strip())
    return names


def without_comments(text: str) -> str:
    """Leaves out lines that are nothing but a comment, and the indentation of the others."""
    lines = (line.strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/**", "* ", "*/")))


def prelude_header(main: str, parts: dict[str, str]) -> str:
    def array(name: str, content: bytes, qualifier: str) -> str:
        rows = [", ".join(str(byte) for byte in content[at:at + 24]) for at in range(0, len(content), 24)]
        return f"static {qualifier}{name}[] = {{\n" + ",\n".join(rows) + "\n};\n"

    header = array("prelude_source", main.encode() + b"\0", "char ")
    rows = []
    for name, text in parts.items():
        content = text.encode()
        header += array(f"packed_{name}", pack(content), "const uint8_t ")
        rows.append(f'    {{ "{name}", packed_{name}, sizeof packed_{name}, {len(content)} }},\n')
    return header + ("static const struct prelude_part {\n    const char *name;\n    const uint8_t *packed;\n"
                     "    size_t packed_size, size;\n} prelude_parts[] = {\n" + "".join(rows) + "};\n")


def pack(content: bytes) -> bytes:
    """Packs a text of less than 64 KiB: runs of new bytes, each followed by a copy of bytes that came before.

    A copy starts with a byte whose upper half is the number of new bytes before it and whose lower half is its length
    less four; 15 means that further bytes, the last of them below 255, are added. Its distance follows in two bytes.
    """
    def number(value: int) -> bytes:
        return bytes([255] * ((value - 15) // 255) + [(value - 15) % 255]) if value >= 15 else b""

    packed = bytearray()
    places: dict[bytes, list[int]] = {}
    at = start = 0
    while at < len(content):
        best = distance = 0
        for place in reversed(places.get(content[at:at + 4], [])[-256:]):
            length = 4
            while at + length < len(content) and content[place + length] == content[at + length]:
                length += 1
            if length > best:
                best, distance = length, at - place
        step = best if best >= 4 and at + 4 <= len(content) else 1
        if step > 1:
            new = content[start:at]
            packed.append(min(len(new), 15) << 4 | min(best - 4, 15))
            packed += number(len(new)) + new + distance.to_bytes(2, "little") + number(best - 4)
        for place in range(at, at + step):
            places.setdefault(content[place:place + 4], []).append(place)
        at += step
        if step > 1:
            start = at
    new = content[start:]
    packed.append(min(len(new), 15) << 4)
    packed += number(len(new)) + new
    return bytes(packed)


def compile_guest(zig: list[str], crate: Path, scratch: Path) -> Path:
    libc = crate / "vendor" / "wasi-libc"
    environment = dict(os.environ, ZIG_GLOBAL_CACHE_DIR=str(WORK / "zig-cache"), ZIG_LOCAL_CACHE_DIR=str(WORK / "zig-cache"))
    objects = []
    for source in ["shim.c", *SOURCES]:
        target = Path(source).with_suffix(".o")
        objects.append(str(target))
        # Relative paths, from inside the scratch folder: no path of this machine can enter the image.
        run([*zig, "cc", *COMPILE, "-nostdinc", "-isystem", libc / "include", *builtin_headers(zig),
             "-c", source, "-o", target], cwd=scratch, env=environment)
    run([*zig, "wasm-ld", *LINK, *objects, libc / "lib" / "libc.a", "-o", "guest.wasm"], cwd=scratch, env=environment)
    return scratch / "guest.wasm"


def builtin_headers(zig: list[str]) -> list[str]:
    """The compiler's own headers (stddef.h, stdarg.h …), which libc's rely on."""
    site = run([zig[0], "-c", "import ziglang, os; print(os.path.dirname(ziglang.__file__))"], capture=True).strip()
    return ["-isystem", str(Path(site) / "lib" / "include")]


def pre_initialise(linked: Path) -> Path:
    image = WORK / "isobox-guest.wasm"
    run(["cargo", "run", "--quiet", "--locked", "--manifest-path", GUEST / "builder" / "Cargo.toml",
         "--target-dir", WORK / "builder", "--", "initialise", linked, image])
    return image


def run(command: list, capture: bool = False, **options) -> str:
    words = [str(word) for word in command]
    result = subprocess.run(words, stdout=subprocess.PIPE if capture else None, text=True, **options)
    if result.returncode:
        sys.exit(f"failed with status {result.returncode}: {' '.join(words)}")
    return result.stdout if capture else ""


if __name__ == "__main__":
    main()
