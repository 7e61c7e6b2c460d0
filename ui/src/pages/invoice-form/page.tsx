// The forms of invoices and their lines in one chunk.
export {
  InvoiceLineForm,
  loader as invoiceLineFormLoader,
} from '../invoice-line-form/InvoiceLineForm'
export { InvoiceForm, loader as invoiceFormLoader } from './InvoiceForm'
