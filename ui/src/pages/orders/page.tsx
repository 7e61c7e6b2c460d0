// The pages of this place in one chunk: who opens a list opens its records next.

export { loader as orderPageLoader, OrderPage } from '../order/OrderPage'
export { loader as orderFormLoader, OrderForm } from '../order-form/OrderForm'
export { loader as orderLinePageLoader, OrderLinePage } from '../order-line/OrderLinePage'
export { loader as orderLineFormLoader, OrderLineForm } from '../order-line-form/OrderLineForm'
export { loader as ordersPageLoader, OrdersPage } from './list'
