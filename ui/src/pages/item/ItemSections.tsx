// What is recorded of an item, by sections.
import { useNames } from '#/api/lists'
import { useText } from '#/i18n/text'
import { callNumberOf, effectiveCallNumber } from '#/inventory/callNumber'
import { FactSection } from '#/inventory/FactSection'
import { lines } from '#/inventory/Facts'
import { Links } from '#/inventory/Links'
import { Notes } from '#/inventory/Notes'
import type { StoredItem } from '#/inventory/types'
import { usePlace } from '#/inventory/usePlace'
import { useFormats } from '#/lib/format'
import { Code } from '#/ui/Code'

export function ItemSections({ item }: { item: StoredItem }) {
  const t = useText()
  const formats = useFormats()
  const place = usePlace()
  const names = useNames(
    'materialTypes',
    'loanTypes',
    'callNumberTypes',
    'statisticalCodes',
    'damagedStatuses',
    'itemNoteTypes',
  )
  const code = (text: string | undefined) => (text ? <Code plain>{text}</Code> : undefined)
  const own = callNumberOf({
    callNumber: item.itemLevelCallNumber,
    callNumberPrefix: item.itemLevelCallNumberPrefix,
    callNumberSuffix: item.itemLevelCallNumberSuffix,
  })
  const notes = [
    ...(item.notes ?? []).map((one) => ({
      ...one,
      type: names('itemNoteTypes', one.itemNoteTypeId),
    })),
    ...(item.circulationNotes ?? []).map((one) => ({
      ...one,
      type: t(one.noteType === 'Check in' ? 'inventory.noteIn' : 'inventory.noteOut'),
    })),
  ]
  return (
    <>
      <FactSection
        title={t('inventory.itemData')}
        facts={[
          [t('inventory.barcode'), item.barcode && <Code>{item.barcode}</Code>],
          [t('inventory.facet.items_materialTypeId'), names('materialTypes', item.materialTypeId)],
          [
            t('inventory.by.callNumber'),
            code(effectiveCallNumber(item.effectiveCallNumberComponents)),
          ],
          [t('inventory.ownCallNumber'), code(own)],
          [t('inventory.callNumberType'), names('callNumberTypes', item.itemLevelCallNumberTypeId)],
          [t('inventory.copy'), item.copyNumber],
          [t('inventory.by.accession'), code(item.accessionNumber)],
          [t('inventory.formerIds'), lines(item.formerIds)],
        ]}
      />
      <FactSection
        title={t('inventory.location')}
        facts={[
          [t('inventory.effectiveLocation'), place(item.effectiveLocationId)],
          [t('inventory.permanentLocation'), place(item.permanentLocationId)],
          [t('inventory.temporaryLocation'), place(item.temporaryLocationId)],
        ]}
      />
      <FactSection
        title={t('inventory.loanRules')}
        facts={[
          [t('inventory.permanentLoanType'), names('loanTypes', item.permanentLoanTypeId)],
          [t('inventory.temporaryLoanType'), names('loanTypes', item.temporaryLoanTypeId)],
        ]}
      />
      <FactSection
        title={t('inventory.enumeration')}
        facts={[
          [t('inventory.displaySummary'), item.displaySummary],
          [t('inventory.enumeration'), item.enumeration],
          [t('inventory.chronology'), item.chronology],
          [t('inventory.volume'), item.volume],
          [t('inventory.yearCaption'), lines(item.yearCaption)],
        ]}
      />
      <FactSection
        title={t('inventory.condition')}
        facts={[
          [t('inventory.pieces'), item.numberOfPieces],
          [t('inventory.piecesWhat'), item.descriptionOfPieces],
          [t('inventory.missingPieces'), item.numberOfMissingPieces],
          [t('inventory.missingPiecesWhat'), item.missingPieces],
          [t('inventory.damaged'), names('damagedStatuses', item.itemDamagedStatusId)],
        ]}
      />
      <Notes notes={notes} />
      <Links links={item.electronicAccess} />
      <FactSection
        title={t('inventory.administrative')}
        facts={[
          [t('inventory.hrid'), code(item.hrid)],
          [
            t('inventory.facet.discoverySuppress'),
            t(item.discoverySuppress ? 'inventory.yes' : 'inventory.no'),
          ],
          [
            t('inventory.codes'),
            lines(item.statisticalCodeIds?.map((id) => names('statisticalCodes', id))),
          ],
          [t('inventory.administrativeNotes'), lines(item.administrativeNotes)],
          [t('inventory.created'), formats.day(item.metadata?.createdDate ?? '')],
          [t('inventory.updated'), formats.day(item.metadata?.updatedDate ?? '')],
        ]}
      />
    </>
  )
}
