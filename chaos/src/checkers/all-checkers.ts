import type { Checker } from '../facts.js';
import { acknowledgedOrders } from './i1-acknowledged-orders.js';
import { duplicates } from './i10-duplicates.js';
import { noFailedByOutage } from './i11-no-failed-by-outage.js';
import { cleanLogs } from './i12-clean-logs.js';
import { outcomesAddUp } from './i13-outcomes-add-up.js';
import { witnessesAgree } from './i14-witnesses-agree.js';
import { withinBudget } from './i15-within-budget.js';
import { legalTransitions } from './i16-legal-transitions.js';
import { reconcileNamesIt } from './i17-reconcile-names-it.js';
import { goesOn } from './i18-goes-on.js';
import { noPhantom } from './i2-no-phantom.js';
import { ordersAndMessages } from './i3-orders-and-messages.js';
import { published } from './i4-published.js';
import { effectExactlyOnce } from './i5-effect-exactly-once.js';
import { stockLedger } from './i6-stock-ledger.js';
import { agreement } from './i7-agreement.js';
import { liveness } from './i8-liveness.js';
import { throughput } from './i9-throughput.js';

/** By the id of their invariant. */
export const CHECKERS: Readonly<Record<string, Checker>> = {
  I1: acknowledgedOrders,
  I2: noPhantom,
  I3: ordersAndMessages,
  I4: published,
  I5: effectExactlyOnce,
  I6: stockLedger,
  I7: agreement,
  I8: liveness,
  I9: throughput,
  I10: duplicates,
  I11: noFailedByOutage,
  I12: cleanLogs,
  I13: outcomesAddUp,
  I14: witnessesAgree,
  I15: withinBudget,
  I16: legalTransitions,
  I17: reconcileNamesIt,
  I18: goesOn,
};
