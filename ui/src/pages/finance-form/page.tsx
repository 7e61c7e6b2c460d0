// The forms of funds, budgets, ledgers, groups and fiscal years.
export { FinanceForm, loader as financeFormLoader } from './FinanceForm'
