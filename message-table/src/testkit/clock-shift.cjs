'use strict';

// Preloaded: this process's wall clock is off by SHIFT_MS, as on a host whose time was never set.
const shiftMs = Number(process.env.SHIFT_MS);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [RealDate.now() + shiftMs] : args));
  }
  static now() {
    return RealDate.now() + shiftMs;
  }
};
