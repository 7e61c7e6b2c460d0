// The places of the product, in the rail's order. A new page adds its line here.
import type { LinkProps } from '@tanstack/react-router'
import type { TextId } from '#/i18n/text'
import type { Act } from '#/lib/permissions'
import type { IconName } from '#/ui/Icon'

export interface Place {
  id: string
  to: LinkProps['to']
  title: TextId
  icon: IconName
  group: TextId
  /** The sequence that goes there. */
  keys: string
  /** What the person must be allowed to do. */
  needs?: Act
  /** One of the four in the bottom bar of phones; "More" leads to the others. */
  dock?: boolean
}

export const PLACES: readonly Place[] = [
  {
    id: 'checkOut',
    to: '/check-out',
    title: 'shell.checkOut',
    icon: 'book-up',
    group: 'shell.groupDesk',
    keys: 'g o',
    needs: 'checkOut',
    dock: true,
  },
  {
    id: 'checkIn',
    to: '/check-in',
    title: 'shell.checkIn',
    icon: 'book-down',
    group: 'shell.groupDesk',
    keys: 'g i',
    needs: 'checkIn',
    dock: true,
  },
  {
    id: 'inventory',
    to: '/inventory',
    title: 'shell.inventory',
    icon: 'library',
    group: 'shell.groupCatalogue',
    keys: 'g c',
    needs: 'searchInventory',
    dock: true,
  },
  {
    id: 'requests',
    to: '/requests',
    title: 'shell.requests',
    icon: 'inbox',
    group: 'shell.groupDesk',
    keys: 'g r',
    needs: 'readRequests',
    dock: true,
  },
  {
    id: 'users',
    to: '/users',
    title: 'shell.users',
    icon: 'users',
    group: 'shell.groupPeople',
    keys: 'g u',
    needs: 'readUsers',
  },
  {
    id: 'offline',
    to: '/offline',
    title: 'shell.offline',
    icon: 'hard-drive-download',
    group: 'shell.groupDesk',
    keys: 'g k',
    needs: 'checkOut',
  },
  {
    id: 'authorities',
    to: '/authorities',
    title: 'shell.authorities',
    icon: 'book-key',
    group: 'shell.groupCatalogue',
    keys: 'g a',
    needs: 'searchAuthorities',
  },
  {
    id: 'data',
    to: '/data',
    title: 'shell.data',
    icon: 'arrow-down-up',
    group: 'shell.groupCatalogue',
    keys: 'g x',
  },
  {
    id: 'organizations',
    to: '/organizations',
    title: 'shell.organizations',
    icon: 'building-2',
    group: 'shell.groupAcquisitions',
    keys: 'g n',
    needs: 'readOrganizations',
  },
  {
    id: 'orders',
    to: '/orders',
    title: 'shell.orders',
    icon: 'shopping-cart',
    group: 'shell.groupAcquisitions',
    keys: 'g b',
    needs: 'readOrders',
  },
  {
    id: 'invoices',
    to: '/invoices',
    title: 'shell.invoices',
    icon: 'receipt-text',
    group: 'shell.groupAcquisitions',
    keys: 'g v',
    needs: 'readInvoices',
  },
  {
    id: 'finance',
    to: '/finance',
    title: 'shell.finance',
    icon: 'wallet',
    group: 'shell.groupAcquisitions',
    keys: 'g f',
    needs: 'readFinance',
  },
  {
    id: 'settings',
    to: '/settings',
    title: 'shell.settings',
    icon: 'sliders-horizontal',
    group: 'shell.groupSystem',
    keys: 'g s',
  },
  {
    id: 'workbench',
    to: '/workbench',
    title: 'shell.workbench',
    icon: 'activity',
    group: 'shell.groupSystem',
    keys: 'g w',
  },
  {
    id: 'preferences',
    to: '/preferences',
    title: 'shell.preferences',
    icon: 'palette',
    group: 'shell.groupSystem',
    keys: 'g p',
  },
]
