// Loads the native part: beside this file in a checkout, else from the package of the platform.
'use strict';

const { existsSync } = require('node:fs');
const { join } = require('node:path');

const name = require('./platform.cjs')();
const local = join(__dirname, `isobox.${name}.node`);
try {
  module.exports = existsSync(local) ? require(local) : require(`isobox-${name}`);
} catch (cause) {
  const message =
    `isobox has no native part for ${name}: the package isobox-${name} is not installed. ` +
    'Install without `--no-optional` and `--omit=optional`, or build a checkout with sdk/node/build';
  throw new Error(message, { cause });
}
