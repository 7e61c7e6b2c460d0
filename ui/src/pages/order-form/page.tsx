// The forms of orders and their lines in one chunk.
export { loader as orderLineFormLoader, OrderLineForm } from '../order-line-form/OrderLineForm'
export { loader as orderFormLoader, OrderForm } from './OrderForm'
