// Loads the native part: beside this file in a checkout, else from the package of the platform.
'use strict';

const { existsSync } = require('node:fs');
const { join } = require('node:path');

const name = require('./platform.cjs')();
const local = join(__dirname, `isobox.${name}.node`);
try {
  module.exports = existsSync(local) ? require(local) : require(`isobox-${name}`);
} catch (cause) {
  throw new Error(`isobox has no native part for ${name}: ${explain(cause)}`, { cause });
}

/** Returns what is wrong, and what to do. */
function explain(cause) {
  if (cause.code !== 'MODULE_NOT_FOUND') return `${existsSync(local) ? local : `the package isobox-${name}`} cannot be loaded: ${cause.message}`;
  const packages = Object.keys(require('./package.json').optionalDependencies ?? {});
  if (packages.length > 0 && !packages.includes(`isobox-${name}`)) {
    return `there is no package for this platform, only ${packages.join(', ')}. Build a checkout with sdk/node/build`;
  }
  return `the package isobox-${name} is not installed. Install without \`--no-optional\` and \`--omit=optional\`, or build a checkout with sdk/node/build`;
}
