// The transactions of a budget: those of its year that come from or go to its fund.

import type { Budget } from '#/acquisitions/types'
import { equals } from '#/api/cql'

export const transactionsOf = ({ fiscalYearId, fundId }: Budget): string =>
  `${equals('fiscalYearId', fiscalYearId)} and (${equals('fromFundId', fundId)} or ${equals('toFundId', fundId)})`
