// The name of this platform, as its package is named.
'use strict';

module.exports = function platform() {
  const { platform, arch } = process;
  if (platform !== 'linux') return `${platform}-${arch}`;
  const isGlibc = process.report?.getReport?.().header?.glibcVersionRuntime !== undefined;
  return `linux-${arch}-${isGlibc ? 'gnu' : 'musl'}`;
};
