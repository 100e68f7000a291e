/* Digests: MD5, SHA-1 and the SHA-2 family. Part of shim.c. */

enum digest { DIGEST_MD5, DIGEST_SHA1, DIGEST_SHA224, DIGEST_SHA256, DIGEST_SHA384, DIGEST_SHA512, DIGEST_COUNT };

/* The fractional parts of the cube roots of the first 80 primes. SHA-256 uses the upper halves of the first 64. */
static const uint64_t sha2_constants[80] = {
    0x428a2f98d728ae22ull, 0x7137449123ef65cdull, 0xb5c0fbcfec4d3b2full, 0xe9b5dba58189dbbcull,
    0x3956c25bf348b538ull, 0x59f111f1b605d019ull, 0x923f82a4af194f9bull, 0xab1c5ed5da6d8118ull,
    0xd807aa98a3030242ull, 0x12835b0145706fbeull, 0x243185be4ee4b28cull, 0x550c7dc3d5ffb4e2ull,
    0x72be5d74f27b896full, 0x80deb1fe3b1696b1ull, 0x9bdc06a725c71235ull, 0xc19bf174cf692694ull,
    0xe49b69c19ef14ad2ull, 0xefbe4786384f25e3ull, 0x0fc19dc68b8cd5b5ull, 0x240ca1cc77ac9c65ull,
    0x2de92c6f592b0275ull, 0x4a7484aa6ea6e483ull, 0x5cb0a9dcbd41fbd4ull, 0x76f988da831153b5ull,
    0x983e5152ee66dfabull, 0xa831c66d2db43210ull, 0xb00327c898fb213full, 0xbf597fc7beef0ee4ull,
    0xc6e00bf33da88fc2ull, 0xd5a79147930aa725ull, 0x06ca6351e003826full, 0x142929670a0e6e70ull,
    0x27b70a8546d22ffcull, 0x2e1b21385c26c926ull, 0x4d2c6dfc5ac42aedull, 0x53380d139d95b3dfull,
    0x650a73548baf63deull, 0x766a0abb3c77b2a8ull, 0x81c2c92e47edaee6ull, 0x92722c851482353bull,
    0xa2bfe8a14cf10364ull, 0xa81a664bbc423001ull, 0xc24b8b70d0f89791ull, 0xc76c51a30654be30ull,
    0xd192e819d6ef5218ull, 0xd69906245565a910ull, 0xf40e35855771202aull, 0x106aa07032bbd1b8ull,
    0x19a4c116b8d2d0c8ull, 0x1e376c085141ab53ull, 0x2748774cdf8eeb99ull, 0x34b0bcb5e19b48a8ull,
    0x391c0cb3c5c95a63ull, 0x4ed8aa4ae3418acbull, 0x5b9cca4f7763e373ull, 0x682e6ff3d6b2b8a3ull,
    0x748f82ee5defb2fcull, 0x78a5636f43172f60ull, 0x84c87814a1f0ab72ull, 0x8cc702081a6439ecull,
    0x90befffa23631e28ull, 0xa4506cebde82bde9ull, 0xbef9a3f7b2c67915ull, 0xc67178f2e372532bull,
    0xca273eceea26619cull, 0xd186b8c721c0c207ull, 0xeada7dd6cde0eb1eull, 0xf57d4f7fee6ed178ull,
    0x06f067aa72176fbaull, 0x0a637dc5a2c898a6ull, 0x113f9804bef90daeull, 0x1b710b35131c471bull,
    0x28db77f523047d84ull, 0x32caab7b40c72493ull, 0x3c9ebe0a15c9bebcull, 0x431d67c49c100d4cull,
    0x4cc5d4becb3e42b6ull, 0x597f299cfc657e2aull, 0x5fcb6fab3ad6faecull, 0x6c44198c4a475817ull,
};

/* The fractional parts of the square roots of the first 16 primes. */
static const uint64_t sha2_roots[16] = {
    0x6a09e667f3bcc908ull, 0xbb67ae8584caa73bull, 0x3c6ef372fe94f82bull, 0xa54ff53a5f1d36f1ull,
    0x510e527fade682d1ull, 0x9b05688c2b3e6c1full, 0x1f83d9abfb41bd6bull, 0x5be0cd19137e2179ull,
    0xcbbb9d5dc1059ed8ull, 0x629a292a367cd507ull, 0x9159015a3070dd17ull, 0x152fecd8f70e5939ull,
    0x67332667ffc00b31ull, 0x8eb44a8768581511ull, 0xdb0c2e0d64f98fa7ull, 0x47b5481dbefa4fa4ull,
};

/* The sines of 1 to 64. */
static const uint32_t md5_constants[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static const uint8_t md5_shifts[16] = { 7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21 };

static uint32_t turn_left(uint32_t value, int bits) { return value << bits | value >> (32 - bits); }
static uint32_t turn_right(uint32_t value, int bits) { return value >> bits | value << (32 - bits); }
static uint64_t turn_right_long(uint64_t value, int bits) { return value >> bits | value << (64 - bits); }

static uint32_t read_big_endian(const uint8_t *from)
{
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

static void md5_block(uint64_t *state, const uint8_t *block)
{
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], words[16];
    memcpy(words, block, sizeof words);
    for (int round = 0; round < 64; round++) {
        uint32_t mixed;
        int at;
        switch (round / 16) {
        case 0: mixed = (b & c) | (~b & d), at = round; break;
        case 1: mixed = (d & b) | (~d & c), at = (5 * round + 1) % 16; break;
        case 2: mixed = b ^ c ^ d, at = (3 * round + 5) % 16; break;
        default: mixed = c ^ (b | ~d), at = 7 * round % 16; break;
        }
        mixed += a + md5_constants[round] + words[at];
        a = d, d = c, c = b;
        b += turn_left(mixed, md5_shifts[round / 16 * 4 + round % 4]);
    }
    state[0] = (uint32_t)(state[0] + a);
    state[1] = (uint32_t)(state[1] + b);
    state[2] = (uint32_t)(state[2] + c);
    state[3] = (uint32_t)(state[3] + d);
}

static void sha1_block(uint64_t *state, const uint8_t *block)
{
    uint32_t words[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (int round = 0; round < 16; round++)
        words[round] = read_big_endian(block + round * 4);
    for (int round = 16; round < 80; round++)
        words[round] = turn_left(words[round - 3] ^ words[round - 8] ^ words[round - 14] ^ words[round - 16], 1);
    for (int round = 0; round < 80; round++) {
        uint32_t mixed;
        switch (round / 20) {
        case 0: mixed = ((b & c) | (~b & d)) + 0x5a827999; break;
        case 1: mixed = (b ^ c ^ d) + 0x6ed9eba1; break;
        case 2: mixed = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc; break;
        default: mixed = (b ^ c ^ d) + 0xca62c1d6; break;
        }
        mixed += turn_left(a, 5) + e + words[round];
        e = d, d = c, c = turn_left(b, 30), b = a, a = mixed;
    }
    state[0] = (uint32_t)(state[0] + a);
    state[1] = (uint32_t)(state[1] + b);
    state[2] = (uint32_t)(state[2] + c);
    state[3] = (uint32_t)(state[3] + d);
    state[4] = (uint32_t)(state[4] + e);
}

static void sha256_block(uint64_t *state, const uint8_t *block)
{
    uint32_t words[64], v[8];
    for (int round = 0; round < 16; round++)
        words[round] = read_big_endian(block + round * 4);
    for (int round = 16; round < 64; round++) {
        uint32_t early = words[round - 15], late = words[round - 2];
        words[round] = words[round - 16] + words[round - 7]
            + (turn_right(early, 7) ^ turn_right(early, 18) ^ early >> 3)
            + (turn_right(late, 17) ^ turn_right(late, 19) ^ late >> 10);
    }
    for (int index = 0; index < 8; index++)
        v[index] = (uint32_t)state[index];
    for (int round = 0; round < 64; round++) {
        uint32_t first = v[7] + (turn_right(v[4], 6) ^ turn_right(v[4], 11) ^ turn_right(v[4], 25))
            + ((v[4] & v[5]) ^ (~v[4] & v[6])) + (uint32_t)(sha2_constants[round] >> 32) + words[round];
        uint32_t second = (turn_right(v[0], 2) ^ turn_right(v[0], 13) ^ turn_right(v[0], 22))
            + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += first;
        v[0] = first + second;
    }
    for (int index = 0; index < 8; index++)
        state[index] = (uint32_t)(state[index] + v[index]);
}

static void sha512_block(uint64_t *state, const uint8_t *block)
{
    uint64_t words[80], v[8];
    for (int round = 0; round < 16; round++)
        words[round] = (uint64_t)read_big_endian(block + round * 8) << 32 | read_big_endian(block + round * 8 + 4);
    for (int round = 16; round < 80; round++) {
        uint64_t early = words[round - 15], late = words[round - 2];
        words[round] = words[round - 16] + words[round - 7]
            + (turn_right_long(early, 1) ^ turn_right_long(early, 8) ^ early >> 7)
            + (turn_right_long(late, 19) ^ turn_right_long(late, 61) ^ late >> 6);
    }
    memcpy(v, state, sizeof v);
    for (int round = 0; round < 80; round++) {
        uint64_t first = v[7] + (turn_right_long(v[4], 14) ^ turn_right_long(v[4], 18) ^ turn_right_long(v[4], 41))
            + ((v[4] & v[5]) ^ (~v[4] & v[6])) + sha2_constants[round] + words[round];
        uint64_t second = (turn_right_long(v[0], 28) ^ turn_right_long(v[0], 34) ^ turn_right_long(v[0], 39))
            + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += first;
        v[0] = first + second;
    }
    for (int index = 0; index < 8; index++)
        state[index] += v[index];
}

/* The state of an algorithm before its first block; words are kept in 64 bits each, however wide they are. */
static void start_digest(enum digest algorithm, uint64_t *state)
{
    static const uint32_t simple[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };
    for (int index = 0; index < 8; index++) {
        switch (algorithm) {
        case DIGEST_SHA224: state[index] = (uint32_t)sha2_roots[index + 8]; break;
        case DIGEST_SHA256: state[index] = sha2_roots[index] >> 32; break;
        case DIGEST_SHA384: state[index] = sha2_roots[index + 8]; break;
        case DIGEST_SHA512: state[index] = sha2_roots[index]; break;
        default: state[index] = index < 5 ? simple[index] : 0; break;
        }
    }
}

static const struct {
    void (*block)(uint64_t *state, const uint8_t *block);
    uint8_t block_size, word_size, size;
} digests[DIGEST_COUNT] = {
    [DIGEST_MD5] = { md5_block, 64, 4, 16 },
    [DIGEST_SHA1] = { sha1_block, 64, 4, 20 },
    [DIGEST_SHA224] = { sha256_block, 64, 4, 28 },
    [DIGEST_SHA256] = { sha256_block, 64, 4, 32 },
    [DIGEST_SHA384] = { sha512_block, 128, 8, 48 },
    [DIGEST_SHA512] = { sha512_block, 128, 8, 64 },
};

static void compute_digest(enum digest algorithm, const uint8_t *bytes, size_t size, uint8_t *digest)
{
    uint64_t state[8];
    uint8_t tail[256] = { 0 };
    size_t block_size = digests[algorithm].block_size, done = 0;
    start_digest(algorithm, state);
    for (; size - done >= block_size; done += block_size)
        digests[algorithm].block(state, bytes + done);
    size_t rest = size - done, length_size = block_size / 8;
    if (rest)
        memcpy(tail, bytes + done, rest);
    tail[rest] = 0x80;
    size_t tail_size = rest + 1 + length_size <= block_size ? block_size : 2 * block_size;
    uint64_t bits = (uint64_t)size * 8;
    for (int index = 0; index < 8; index++) {
        size_t at = algorithm == DIGEST_MD5 ? tail_size - 8 + index : tail_size - 1 - index;
        tail[at] = (uint8_t)(bits >> 8 * index);
    }
    for (size_t at = 0; at < tail_size; at += block_size)
        digests[algorithm].block(state, tail + at);
    int word_size = digests[algorithm].word_size;
    for (int index = 0; index < digests[algorithm].size; index++) {
        int place = index % word_size;
        int shift = 8 * (algorithm == DIGEST_MD5 ? place : word_size - 1 - place);
        digest[index] = (uint8_t)(state[index / word_size] >> shift);
    }
}
