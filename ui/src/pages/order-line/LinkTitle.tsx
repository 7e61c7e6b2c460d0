// A line is linked to another title of the catalogue; its holdings move there, are made there, or stay where they are.
import { FieldsCard } from '#/acquisitions/form/FieldsCard'
import { instanceLookup } from '#/acquisitions/form/lookups'
import { LINES } from '#/acquisitions/orders'
import { changed } from '#/acquisitions/queries'
import type { OrderLine } from '#/acquisitions/types'
import { request } from '#/api/client'
import { announce } from '#/app/live'
import { useText } from '#/i18n/text'

const HOLDINGS = ['Move', 'Find or Create', 'Create', 'None'] as const
interface Link {
  newInstanceId?: string
  holdingsOperation: string
  deleteAbandonedHoldings?: boolean
}

export function LinkTitle({ line, onClose }: { line: OrderLine; onClose: () => void }) {
  const t = useText()
  return (
    <FieldsCard<Link>
      title={t('ord.linkTitle')}
      text={t('ord.linkWhat')}
      act={t('ord.link')}
      record={{ holdingsOperation: 'Move' }}
      fields={({ holdingsOperation }) => [
        {
          name: 'newInstanceId',
          label: t('ord.catalogueTitle'),
          kind: 'lookup',
          lookup: instanceLookup,
          needed: true,
        },
        {
          name: 'holdingsOperation',
          label: t('ord.holdings'),
          kind: 'choice',
          choices: HOLDINGS.map((value) => ({ value, text: t(`ord.holdings.${value}`) })),
          needed: true,
        },
        ...(/Create/.test(String(holdingsOperation))
          ? [
              {
                name: 'deleteAbandonedHoldings',
                label: t('acq.deleteHoldings'),
                kind: 'flag' as const,
              },
            ]
          : []),
      ]}
      onAct={async (replaceInstanceRef) => {
        await request(`${LINES}/${line.id}`, {
          method: 'PATCH',
          body: { operation: 'Replace Instance Ref', replaceInstanceRef },
        })
        await changed()
        announce(t('ord.linked'))
      }}
      onClose={onClose}
    />
  )
}
