export { InvoicePage, loader as invoicePageLoader } from './InvoicePage'
