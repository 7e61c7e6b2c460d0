// The fields that tell a title: lines and the titles of packages have the same.
import type { Text } from '#/i18n/text'
import type { Spec } from '#/inventory/form/specs'

export const contributors = (t: Text): Spec => ({
  name: 'contributors',
  label: t('ord.contributors'),
  kind: 'rows',
  fields: [
    { name: 'contributor', label: t('ord.contributor'), kind: 'text', needed: true },
    {
      name: 'contributorNameTypeId',
      label: t('ord.nameType'),
      kind: 'list',
      list: 'contributorNameTypes',
      needed: true,
    },
  ],
})

export const productIds = (t: Text, name: string): Spec => ({
  name,
  label: t('ord.productIds'),
  kind: 'rows',
  fields: [
    { name: 'productId', label: t('ord.productId'), kind: 'text', needed: true },
    {
      name: 'productIdType',
      label: t('ord.productIdType'),
      kind: 'list',
      list: 'identifierTypes',
      needed: true,
    },
    { name: 'qualifier', label: t('ord.qualifier'), kind: 'text' },
  ],
})

/** Whether the vendor is asked about what is late, and after how many days. */
export const claiming = (t: Text): Spec[] => [
  { name: 'claimingActive', label: t('ord.claimingActive'), kind: 'flag' },
  { name: 'claimingInterval', label: t('ord.claimingInterval'), kind: 'number' },
]
