// The lists of this place; its records and forms are chunks of their own.
export { FinancePage, loader as financePageLoader } from './list'
