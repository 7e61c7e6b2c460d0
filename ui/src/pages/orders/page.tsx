// The lists of this place; its records and forms are chunks of their own.
export { loader as ordersPageLoader, OrdersPage } from './list'
