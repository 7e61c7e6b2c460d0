// New orders that begin with a template: the library's templates by their names.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { templatesQuery } from '#/acquisitions/templates'
import { useText } from '#/i18n/text'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Menu } from '#/ui/Menu'

export function FromTemplate({ reason }: { reason: string | undefined }) {
  const t = useText()
  const navigate = useNavigate()
  const { allowed } = useNeeds('orders.order-templates.collection.get')
  const { data } = useQuery({ ...templatesQuery, enabled: allowed })
  if (!data?.length) return null
  return (
    <Menu
      label={t('ord.fromTemplate')}
      acts={data.map(({ id, templateName, templateCode }) => ({
        id,
        text: [templateName, templateCode].filter(Boolean).join(' · '),
        disabled: reason,
        run: () =>
          void navigate({
            to: '/orders/$id/edit',
            params: { id: 'new' },
            search: { template: id } as never,
          }),
      }))}
      trigger={<Button icon="copy">{t('ord.fromTemplate')}</Button>}
    />
  )
}
