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

const organizationsPage = () => import('../pages/organizations/page')
const organizationPage = () => import('../pages/organization/page')
const organizationForm = () => import('../pages/organization-form/page')
const financePage = () => import('../pages/finance/page')
const fundPage = () => import('../pages/fund/page')
const ledgerPage = () => import('../pages/ledger/page')
const budgetPage = () => import('../pages/budget/page')
const financeForm = () => import('../pages/finance-form/page')
const ordersPage = () => import('../pages/orders/page')
const orderPage = () => import('../pages/order/page')
const orderForm = () => import('../pages/order-form/page')
const linePage = () => import('../pages/order-line/page')
const lineForm = () => import('../pages/order-line-form/page')
const invoicesPage = () => import('../pages/invoices/page')
const invoicePage = () => import('../pages/invoice/page')
const invoiceForm = () => import('../pages/invoice-form/page')
const invoiceLineForm = () => import('../pages/invoice-line-form/page')

export const acquisitionRoutes = [
  createRoute({
    getParentRoute,
    path: '/organizations',
    validateSearch,
    loaderDeps: ({ search }) => search,
    loader: async ({ deps }) => (await organizationsPage()).loader(deps),
    component: lazyRouteComponent(organizationsPage, 'OrganizationsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/organizations/$id',
    loader: async ({ params }) => (await organizationPage()).loader(params.id),
    component: lazyRouteComponent(organizationPage, 'OrganizationPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/organizations/$id/edit',
    loader: async ({ params }) => (await organizationForm()).loader(params.id),
    component: lazyRouteComponent(organizationForm, 'OrganizationForm'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance',
    validateSearch,
    loaderDeps: ({ search }) => search,
    loader: async ({ deps }) => (await financePage()).loader(deps),
    component: lazyRouteComponent(financePage, 'FinancePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/funds/$id',
    loader: async ({ params }) => (await fundPage()).loader(params.id),
    component: lazyRouteComponent(fundPage, 'FundPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/ledgers/$id',
    validateSearch,
    loaderDeps: ({ search }) => search,
    loader: async ({ params, deps }) => (await ledgerPage()).loader(params.id, deps),
    component: lazyRouteComponent(ledgerPage, 'LedgerPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/budgets/$id',
    validateSearch,
    loader: async ({ params }) => (await budgetPage()).loader(params.id),
    component: lazyRouteComponent(budgetPage, 'BudgetPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/$kind/$id/edit',
    validateSearch,
    loader: async ({ params }) => (await financeForm()).loader(params),
    component: lazyRouteComponent(financeForm, 'FinanceForm'),
  }),
  createRoute({
    getParentRoute,
    path: '/orders',
    validateSearch,
    loaderDeps: ({ search }) => search,
    loader: async ({ deps }) => (await ordersPage()).loader(deps),
    component: lazyRouteComponent(ordersPage, 'OrdersPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/orders/$id',
    loader: async ({ params }) => (await orderPage()).loader(params.id),
    component: lazyRouteComponent(orderPage, 'OrderPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/orders/$id/edit',
    loader: async ({ params }) => (await orderForm()).loader(params.id),
    component: lazyRouteComponent(orderForm, 'OrderForm'),
  }),
  createRoute({
    getParentRoute,
    path: '/orders/$id/lines/$lineId',
    loader: async ({ params }) => (await linePage()).loader(params.id, params.lineId),
    component: lazyRouteComponent(linePage, 'OrderLinePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/orders/$id/lines/$lineId/edit',
    loader: async ({ params }) => (await lineForm()).loader(params.id, params.lineId),
    component: lazyRouteComponent(lineForm, 'OrderLineForm'),
  }),
  createRoute({
    getParentRoute,
    path: '/invoices',
    validateSearch,
    loaderDeps: ({ search }) => search,
    loader: async ({ deps }) => (await invoicesPage()).loader(deps),
    component: lazyRouteComponent(invoicesPage, 'InvoicesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/invoices/$id',
    loader: async ({ params }) => (await invoicePage()).loader(params.id),
    component: lazyRouteComponent(invoicePage, 'InvoicePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/invoices/$id/edit',
    validateSearch,
    loaderDeps: ({ search }) => search,
    loader: async ({ params, deps }) => (await invoiceForm()).loader(params.id, deps),
    component: lazyRouteComponent(invoiceForm, 'InvoiceForm'),
  }),
  createRoute({
    getParentRoute,
    path: '/invoices/$id/lines/$lineId/edit',
    loader: async ({ params }) => (await invoiceLineForm()).loader(params.id, params.lineId),
    component: lazyRouteComponent(invoiceLineForm, 'InvoiceLineForm'),
  }),
]
