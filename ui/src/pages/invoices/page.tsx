// The pages of this place in one chunk: who opens a list opens its records next.

export { InvoicePage, loader as invoicePageLoader } from '../invoice/InvoicePage'
export { InvoiceForm, loader as invoiceFormLoader } from '../invoice-form/InvoiceForm'
export {
  InvoiceLineForm,
  loader as invoiceLineFormLoader,
} from '../invoice-line-form/InvoiceLineForm'
export { InvoicesPage, loader as invoicesPageLoader } from './list'
