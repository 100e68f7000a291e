/* Sorting with the comparisons of V8. Included by quickjs.c, before its arrays.

   A comparator need not be consistent: many never return 0, or return a boolean. What such a sort gives depends on which
   elements are compared, and in which order. So these are the algorithms of V8: for arrays a TimSort, for typed arrays a
   merge sort from the top. Both sort numbers of elements, and end for every comparator. */

typedef int compare_elements(void *opaque, uint32_t first, uint32_t second);

/* Runs grow in length from the last to the first like the Fibonacci numbers, so 64 are enough for 2 ** 32 elements. */
#define RUNS_MAX 64
#define WINS_FOR_GALLOP 7

struct sorting {
    compare_elements *compare;
    void *opaque;
    uint32_t *order, *spare; /* of the elements, and room for half of them */
    int wins_needed;
    int run_count;
    struct { size_t start, size; } runs[RUNS_MAX];
};

static bool comes_before(struct sorting *sorting, uint32_t first, uint32_t second)
{
    return sorting->compare(sorting->opaque, first, second) < 0;
}

/* The size of the run at `start`: of elements that never fall, or that always fall, which are turned round. */
static size_t take_run(struct sorting *sorting, size_t start, size_t end)
{
    uint32_t *order = sorting->order;
    if (start + 1 == end)
        return 1;
    bool falls = comes_before(sorting, order[start + 1], order[start]);
    size_t at = start + 2;
    while (at < end && comes_before(sorting, order[at], order[at - 1]) == falls)
        at++;
    for (size_t low = start, high = at - 1; falls && low < high; low++, high--) {
        uint32_t element = order[low];
        order[low] = order[high];
        order[high] = element;
    }
    return at - start;
}

/* Sorts from `start` to `end`, where what is before `at` is sorted. */
static void insert_elements(struct sorting *sorting, size_t start, size_t at, size_t end)
{
    uint32_t *order = sorting->order;
    for (; at < end; at++) {
        uint32_t element = order[at];
        size_t low = start, high = at;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (comes_before(sorting, element, order[middle]))
                high = middle;
            else
                low = middle + 1;
        }
        memmove(order + low + 1, order + low, (at - low) * sizeof *order);
        order[low] = element;
    }
}

/* Whether an element of a run stays before a key: those that are equal stay where the key `is_behind` them. */
static bool stays_before(struct sorting *sorting, uint32_t element, uint32_t key, bool is_behind)
{
    return is_behind ? !comes_before(sorting, key, element) : comes_before(sorting, element, key);
}

/* How many elements of a sorted run stay before a key. The search starts at `hint` and doubles its steps. */
static size_t gallop(struct sorting *sorting, const uint32_t *run, size_t size, size_t hint, uint32_t key, bool is_behind)
{
    size_t low, high, last = 0, step = 1;
    if (stays_before(sorting, run[hint], key, is_behind)) {
        size_t most = size - hint;
        while (step < most && stays_before(sorting, run[hint + step], key, is_behind)) {
            last = step;
            step = step * 2 + 1;
        }
        low = hint + last + 1;
        high = hint + (step < most ? step : most);
    } else {
        size_t most = hint + 1;
        while (step < most && !stays_before(sorting, run[hint - step], key, is_behind)) {
            last = step;
            step = step * 2 + 1;
        }
        low = hint + 1 - (step < most ? step : most);
        high = hint - last;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (stays_before(sorting, run[middle], key, is_behind))
            low = middle + 1;
        else
            high = middle;
    }
    return high;
}

static void copy_elements(uint32_t *to, const uint32_t *from, size_t count) { memmove(to, from, count * sizeof *to); }

/* Merges two neighbouring runs, the first of which is the shorter one, from their beginning. */
static void merge_forwards(struct sorting *sorting, uint32_t *left, size_t left_size, uint32_t *right, size_t right_size)
{
    uint32_t *to = left;
    copy_elements(sorting->spare, left, left_size);
    left = sorting->spare;
    *to++ = *right++;
    if (--right_size == 0 || left_size == 1)
        goto done;
    int needed = sorting->wins_needed;
    for (;;) {
        size_t left_wins = 0, right_wins = 0;
        while (left_wins < (size_t)needed && right_wins < (size_t)needed) {
            if (comes_before(sorting, *right, *left)) {
                *to++ = *right++;
                right_wins++, left_wins = 0;
                if (--right_size == 0)
                    goto done;
            } else {
                *to++ = *left++;
                left_wins++, right_wins = 0;
                if (--left_size == 1)
                    goto done;
            }
        }
        needed++;
        do {
            sorting->wins_needed = needed = needed > 2 ? needed - 1 : 1;
            left_wins = gallop(sorting, left, left_size, 0, *right, true);
            copy_elements(to, left, left_wins);
            to += left_wins, left += left_wins, left_size -= left_wins;
            if (left_wins && left_size <= 1)
                goto done;
            *to++ = *right++;
            if (--right_size == 0)
                goto done;
            right_wins = gallop(sorting, right, right_size, 0, *left, false);
            copy_elements(to, right, right_wins);
            to += right_wins, right += right_wins, right_size -= right_wins;
            if (right_size == 0)
                goto done;
            *to++ = *left++;
            if (--left_size == 1)
                goto done;
        } while (left_wins >= WINS_FOR_GALLOP || right_wins >= WINS_FOR_GALLOP);
        sorting->wins_needed = ++needed;
    }
done: /* one of both is used up, or one element is left that belongs behind the rest of the other */
    copy_elements(to, right, right_size);
    copy_elements(to + right_size, left, left_size);
}

/* Merges two neighbouring runs, the second of which is the shorter one, from their end. */
static void merge_backwards(struct sorting *sorting, uint32_t *left, size_t left_size, uint32_t *right, size_t right_size)
{
    uint32_t *to = right + right_size;
    copy_elements(sorting->spare, right, right_size);
    right = sorting->spare;
    *--to = left[--left_size];
    if (left_size == 0 || right_size == 1)
        goto done;
    int needed = sorting->wins_needed;
    for (;;) {
        size_t left_wins = 0, right_wins = 0;
        while (left_wins < (size_t)needed && right_wins < (size_t)needed) {
            if (comes_before(sorting, right[right_size - 1], left[left_size - 1])) {
                *--to = left[--left_size];
                left_wins++, right_wins = 0;
                if (left_size == 0)
                    goto done;
            } else {
                *--to = right[--right_size];
                right_wins++, left_wins = 0;
                if (right_size == 1)
                    goto done;
            }
        }
        needed++;
        do {
            sorting->wins_needed = needed = needed > 2 ? needed - 1 : 1;
            left_wins = left_size - gallop(sorting, left, left_size, left_size - 1, right[right_size - 1], true);
            to -= left_wins, left_size -= left_wins;
            copy_elements(to, left + left_size, left_wins);
            if (left_size == 0)
                goto done;
            *--to = right[--right_size];
            if (right_size == 1)
                goto done;
            right_wins = right_size - gallop(sorting, right, right_size, right_size - 1, left[left_size - 1], false);
            to -= right_wins, right_size -= right_wins;
            copy_elements(to, right + right_size, right_wins);
            if (right_wins && right_size <= 1)
                goto done;
            *--to = left[--left_size];
            if (left_size == 0)
                goto done;
        } while (left_wins >= WINS_FOR_GALLOP || right_wins >= WINS_FOR_GALLOP);
        sorting->wins_needed = ++needed;
    }
done: /* one of both is used up, or one element is left that belongs before the rest of the other */
    copy_elements(to - left_size, left, left_size);
    copy_elements(to - left_size - right_size, right, right_size);
}

/* Merges a run with the next one. */
static void merge_runs(struct sorting *sorting, int index)
{
    size_t left_size = sorting->runs[index].size, right_size = sorting->runs[index + 1].size;
    uint32_t *left = sorting->order + sorting->runs[index].start, *right = left + left_size;
    sorting->runs[index].size += right_size;
    if (index == sorting->run_count - 3)
        sorting->runs[index + 1] = sorting->runs[index + 2];
    sorting->run_count--;

    size_t settled = gallop(sorting, left, left_size, 0, *right, true);
    left += settled, left_size -= settled;
    if (left_size == 0)
        return;
    right_size = gallop(sorting, right, right_size, right_size - 1, left[left_size - 1], false);
    if (right_size == 0)
        return;
    if (left_size <= right_size)
        merge_forwards(sorting, left, left_size, right, right_size);
    else
        merge_backwards(sorting, left, left_size, right, right_size);
}

static bool is_longer_than_next_two(const struct sorting *sorting, int index)
{
    return index < 0 || sorting->runs[index].size > sorting->runs[index + 1].size + sorting->runs[index + 2].size;
}

/* Merges runs until each is longer than the two behind it together; all of them at the end. */
static void collapse_runs(struct sorting *sorting, bool is_end)
{
    while (sorting->run_count > 1) {
        int index = sorting->run_count - 2;
        bool is_uneven = !is_longer_than_next_two(sorting, index - 1) || !is_longer_than_next_two(sorting, index - 2);
        if (!is_end && !is_uneven && sorting->runs[index].size > sorting->runs[index + 1].size)
            return;
        if ((is_end || is_uneven) && index > 0 && sorting->runs[index - 1].size < sorting->runs[index + 1].size)
            index--;
        merge_runs(sorting, index);
    }
}

/* The TimSort of V8. */
static void sort_by_runs(struct sorting *sorting, size_t count)
{
    size_t shortest = count, rest = 0;
    while (shortest >= 64) {
        rest |= shortest & 1;
        shortest /= 2;
    }
    shortest += rest;
    sorting->wins_needed = WINS_FOR_GALLOP;
    sorting->run_count = 0;
    for (size_t start = 0; start < count;) {
        size_t size = take_run(sorting, start, count);
        if (size < shortest) {
            size_t wanted = shortest < count - start ? shortest : count - start;
            insert_elements(sorting, start, start + size, start + wanted);
            size = wanted;
        }
        sorting->runs[sorting->run_count].start = start;
        sorting->runs[sorting->run_count++].size = size;
        collapse_runs(sorting, false);
        start += size;
    }
    collapse_runs(sorting, true);
}

/* The merge sort that V8 has for typed arrays: from `from`, which has the same elements as `to`. */
static void sort_by_halves(struct sorting *sorting, uint32_t *from, uint32_t *to, size_t count)
{
    size_t middle = count / 2, left = 0, right = middle;
    if (middle > 1)
        sort_by_halves(sorting, to, from, middle);
    if (count - middle > 1)
        sort_by_halves(sorting, to + middle, from + middle, count - middle);
    for (size_t at = 0; at < count; at++) {
        bool is_left = left < middle
            && (right >= count || sorting->compare(sorting->opaque, from[left], from[right]) <= 0);
        to[at] = from[is_left ? left++ : right++];
    }
}

/* The numbers of elements in their order; NULL where there is no memory for them. */
static uint32_t *isobox_sorted(JSContext *ctx, size_t count, compare_elements *compare, void *opaque, bool is_typed)
{
    if (count > ISOBOX_MAX_BLOCK / (2 * sizeof(uint32_t)) - 1) {
        JS_ThrowOutOfMemory(ctx);
        return NULL;
    }
    uint32_t *order = js_malloc(ctx, (count + (is_typed ? count : count / 2) + 1) * sizeof *order);
    if (!order)
        return NULL;
    struct sorting sorting = { .compare = compare, .opaque = opaque, .order = order, .spare = order + count };
    for (size_t index = 0; index < count; index++)
        order[index] = (uint32_t)index;
    if (is_typed) {
        copy_elements(sorting.spare, order, count);
        sort_by_halves(&sorting, sorting.spare, order, count);
    } else {
        sort_by_runs(&sorting, count);
    }
    return order;
}
