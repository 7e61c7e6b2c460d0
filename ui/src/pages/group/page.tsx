// Groups and rollovers, which the other parts of finance rarely lead to.
export { loader as otherPageLoader, OtherPage } from '../finance/other'
