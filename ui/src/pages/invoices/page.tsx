// The lists of this place; its records and forms are chunks of their own.
export { InvoicesPage, loader as invoicesPageLoader } from './list'
