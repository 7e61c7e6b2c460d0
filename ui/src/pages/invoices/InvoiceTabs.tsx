// Invoices, vouchers, exports.
import { useText } from '#/i18n/text'
import { Tabs } from '#/ui/Tabs'

export const VIEWS = ['invoices', 'vouchers', 'exports'] as const
export type View = (typeof VIEWS)[number]

export const viewOf = (view: string | undefined): View =>
  VIEWS.find((one) => one === view) ?? 'invoices'

export function InvoiceTabs({ current }: { current: View }) {
  const t = useText()
  return (
    <Tabs
      label={t('acq.lists')}
      current={current}
      linkOf={(id) => ({
        to: '/invoices',
        search: { view: id === 'invoices' ? undefined : id } as never,
      })}
      tabs={VIEWS.map((id) => ({ id, title: t(`fin.list.${id}`) }))}
    />
  )
}
