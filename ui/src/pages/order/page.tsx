// An order and its lines in one chunk: who opens one opens the other next.
export { loader as orderLinePageLoader, OrderLinePage } from '../order-line/OrderLinePage'
export { loader as orderPageLoader, OrderPage } from './OrderPage'
