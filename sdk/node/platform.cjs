// The name of this platform, as its package is named.
'use strict';

module.exports = function platform() {
  const { platform, arch } = process;
  return platform === 'linux' ? `linux-${arch}-${hasGlibc() ? 'gnu' : 'musl'}` : `${platform}-${arch}`;
};

function hasGlibc() {
  const { report } = process;
  if (report === undefined) return false;
  // A report looks up the names of all open connections otherwise.
  const before = report.excludeNetwork;
  report.excludeNetwork = true;
  try {
    return report.getReport().header.glibcVersionRuntime !== undefined;
  } finally {
    report.excludeNetwork = before;
  }
}
