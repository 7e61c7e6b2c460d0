// Asks before a record goes for good; where records use it, it says how many.
import { useQuery } from '@tanstack/react-query'
import { useText } from '#/i18n/text'
import type { Kind } from '#/settings/kinds'
import { Dialog } from '#/ui/Dialog'

interface Props {
  kind: Kind
  id: string
  name: string
  open: boolean
  onClose: () => void
  onDelete: () => void
}

export function DeleteAsk({ kind, id, name, open, onClose, onDelete }: Props) {
  const t = useText()
  const { data: count } = useQuery({
    queryKey: ['settings', kind.path, id, 'used'],
    queryFn: () => kind.used?.(id) ?? 0,
    enabled: open && Boolean(kind.used),
    staleTime: 0,
    retry: false,
  })
  return (
    <Dialog
      title={t('set.deleteAsk', { name })}
      open={open}
      onClose={onClose}
      closeText={t('set.keep')}
      act={{ text: t('set.delete'), danger: true, run: onDelete }}
    >
      {count ? <p>{t('own.used', { count })}</p> : null}
    </Dialog>
  )
}
