// A title of a package is added or changed. Without a title of the catalogue the server finds one by the product ids, or
// makes one.
import { FieldsCard } from '#/acquisitions/form/FieldsCard'
import { instanceLookup } from '#/acquisitions/form/lookups'
import { claiming, contributors, productIds } from '#/acquisitions/form/titleFields'
import { changed } from '#/acquisitions/queries'
import type { OrderLine, Title } from '#/acquisitions/types'
import { get, post, put } from '#/api/client'
import { ApiFailure } from '#/api/errors'
import { same } from '#/forms/differences'
import { useText } from '#/i18n/text'
import type { Spec } from '#/inventory/form/specs'

interface Props {
  line: OrderLine
  /** None for a new one. */
  title: Title | undefined
  onClose: () => void
}

const PATH = '/orders/titles'

export function TitleCard({ line, title, onClose }: Props) {
  const t = useText()
  const fields: Spec[] = [
    { name: 'title', label: t('acq.title'), kind: 'text', needed: true },
    {
      name: 'instanceId',
      label: t('ord.catalogueTitle'),
      kind: 'lookup',
      lookup: instanceLookup,
    },
    { name: 'publisher', label: t('acq.publisher'), kind: 'text' },
    { name: 'publishedDate', label: t('acq.published'), kind: 'text' },
    { name: 'edition', label: t('acq.edition'), kind: 'text' },
    { name: 'expectedReceiptDate', label: t('ord.expectedOn'), kind: 'day' },
    { name: 'receivingNote', label: t('acq.receivingNote'), kind: 'text' },
    ...claiming(t),
    contributors(t),
    productIds(t, 'productIds'),
  ]
  const save = async (next: Title) => {
    if (title) {
      // FOLIO's titles have no versions: the last one to save would win in silence.
      if (!same(await get<Title>(`${PATH}/${title.id}`), title))
        throw new ApiFailure({ kind: 'conflict', text: '' })
      await put(`${PATH}/${title.id}`, next)
    } else await post(PATH, next)
    await changed()
  }
  return (
    <FieldsCard<Title>
      title={title ? t('acq.editOf', { name: title.title }) : t('ord.addTitle')}
      act={t('forms.save')}
      record={title ?? ({ poLineId: line.id } as Title)}
      fields={fields}
      onAct={save}
      onClose={onClose}
    />
  )
}
