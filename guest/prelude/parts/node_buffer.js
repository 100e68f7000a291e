// node:buffer.

const { Buffer } = part("bytes");

const buffer = {
  Buffer, atob, btoa, kMaxLength: 2 ** 53 - 1,
  get Blob() { return part("web").Blob; },
  get File() { return part("web").File; },
  constants: { MAX_LENGTH: 2 ** 53 - 1, MAX_STRING_LENGTH: 2 ** 30 - 1 },
};
