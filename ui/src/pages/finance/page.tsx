// The pages of this place in one chunk: who opens a list opens its records next.
export { BudgetPage, loader as budgetPageLoader } from '../budget/BudgetPage'
export { FinanceForm, loader as financeFormLoader } from '../finance-form/FinanceForm'
export { FundPage, loader as fundPageLoader } from '../fund/FundPage'
export { LedgerPage, loader as ledgerPageLoader } from '../ledger/LedgerPage'
export { FinancePage, loader as financePageLoader } from './list'
export { loader as otherPageLoader, OtherPage } from './other'
