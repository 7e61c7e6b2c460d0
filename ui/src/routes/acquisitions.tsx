// Organizations, orders, invoices, finance. A page that edits is one for new records too: without an id it makes one.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { ListSearch } from '../acquisitions/list/search'
import { text, texts } from './search'
import { shell } from './shell'

const getParentRoute = () => shell
const validateSearch = (search: Record<string, unknown>): ListSearch => ({
  q: search.q === undefined ? undefined : String(search.q),
  view: text(search.view),
  status: texts(search.status),
  kind: texts(search.kind),
  of: texts(search.of),
  sort: text(search.sort),
})

const organizations = () => import('../pages/organizations/page')
const finance = () => import('../pages/finance/page')
const orders = () => import('../pages/orders/page')
const invoices = () => import('../pages/invoices/page')
const financeRecords = () => import('../pages/fund/page')
const financeOthers = () => import('../pages/group/page')
const order = () => import('../pages/order/page')
const invoice = () => import('../pages/invoice/page')
const financeForms = () => import('../pages/finance-form/page')
const orderForms = () => import('../pages/order-form/page')
const invoiceForms = () => import('../pages/invoice-form/page')

export const acquisitionRoutes = [
  createRoute({
    getParentRoute,
    path: '/organizations',
    validateSearch,
    loaderDeps: ({ search }) => search,
    loader: async ({ deps }) => (await organizations()).organizationsPageLoader(deps),
    component: lazyRouteComponent(organizations, 'OrganizationsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/organizations/$id',
    loader: async ({ params }) => (await organizations()).organizationPageLoader(params.id),
    component: lazyRouteComponent(organizations, 'OrganizationPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/organizations/$id/edit',
    loader: async ({ params }) => (await organizations()).organizationFormLoader(params.id),
    component: lazyRouteComponent(organizations, 'OrganizationForm'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance',
    validateSearch,
    loaderDeps: ({ search }) => search,
    loader: async ({ deps }) => (await finance()).financePageLoader(deps),
    component: lazyRouteComponent(finance, 'FinancePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/funds/$id',
    loader: async ({ params }) => (await financeRecords()).fundPageLoader(params.id),
    component: lazyRouteComponent(financeRecords, 'FundPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/ledgers/$id',
    validateSearch,
    loaderDeps: ({ search }) => search,
    loader: async ({ params, deps }) => (await financeRecords()).ledgerPageLoader(params.id, deps),
    component: lazyRouteComponent(financeRecords, 'LedgerPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/budgets/$id',
    validateSearch,
    loader: async ({ params }) => (await financeRecords()).budgetPageLoader(params.id),
    component: lazyRouteComponent(financeRecords, 'BudgetPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/$kind/$id',
    validateSearch,
    loaderDeps: ({ search }) => search,
    loader: async ({ params, deps }) => (await financeOthers()).otherPageLoader(params, deps),
    component: lazyRouteComponent(financeOthers, 'OtherPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/$kind/$id/edit',
    validateSearch,
    loader: async ({ params }) => (await financeForms()).financeFormLoader(params),
    component: lazyRouteComponent(financeForms, 'FinanceForm'),
  }),
  createRoute({
    getParentRoute,
    path: '/orders',
    validateSearch,
    loaderDeps: ({ search }) => search,
    loader: async ({ deps }) => (await orders()).ordersPageLoader(deps),
    component: lazyRouteComponent(orders, 'OrdersPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/orders/$id',
    loader: async ({ params }) => (await order()).orderPageLoader(params.id),
    component: lazyRouteComponent(order, 'OrderPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/orders/$id/edit',
    loader: async ({ params }) => (await orderForms()).orderFormLoader(params.id),
    component: lazyRouteComponent(orderForms, 'OrderForm'),
  }),
  createRoute({
    getParentRoute,
    path: '/orders/$id/lines/$lineId',
    loader: async ({ params }) => (await order()).orderLinePageLoader(params.id, params.lineId),
    component: lazyRouteComponent(order, 'OrderLinePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/orders/$id/lines/$lineId/edit',
    loader: async ({ params }) =>
      (await orderForms()).orderLineFormLoader(params.id, params.lineId),
    component: lazyRouteComponent(orderForms, 'OrderLineForm'),
  }),
  createRoute({
    getParentRoute,
    path: '/invoices',
    validateSearch,
    loaderDeps: ({ search }) => search,
    loader: async ({ deps }) => (await invoices()).invoicesPageLoader(deps),
    component: lazyRouteComponent(invoices, 'InvoicesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/invoices/$id',
    loader: async ({ params }) => (await invoice()).invoicePageLoader(params.id),
    component: lazyRouteComponent(invoice, 'InvoicePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/invoices/$id/edit',
    validateSearch,
    loaderDeps: ({ search }) => search,
    loader: async ({ params, deps }) => (await invoiceForms()).invoiceFormLoader(params.id, deps),
    component: lazyRouteComponent(invoiceForms, 'InvoiceForm'),
  }),
  createRoute({
    getParentRoute,
    path: '/invoices/$id/lines/$lineId/edit',
    loader: async ({ params }) =>
      (await invoiceForms()).invoiceLineFormLoader(params.id, params.lineId),
    component: lazyRouteComponent(invoiceForms, 'InvoiceLineForm'),
  }),
]
