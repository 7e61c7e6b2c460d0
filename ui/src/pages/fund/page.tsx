// Funds, their budgets and ledgers in one chunk: one leads to the next.
export { BudgetPage, loader as budgetPageLoader } from '../budget/BudgetPage'
export { LedgerPage, loader as ledgerPageLoader } from '../ledger/LedgerPage'
export { FundPage, loader as fundPageLoader } from './FundPage'
