// What is bought, in its words.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCustomLines } from '#/acquisitions/customFields'
import { methodsQuery } from '#/acquisitions/queries'
import { tagsOf } from '#/acquisitions/Tags'
import type { OrderLine } from '#/acquisitions/types'
import { useWord } from '#/acquisitions/words'
import { useNames } from '#/api/lists'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Description } from '#/ui/Description'
import { Section } from '#/ui/Section'

export function Facts({ line }: { line: OrderLine }) {
  const t = useText()
  const word = useWord()
  const { day } = useFormats()
  const names = useNames('materialTypes', 'identifierTypes')
  const { data: methods } = useQuery(methodsQuery)
  const own = useCustomLines('po_line', line.customFields)
  const { instanceId, physical, eresource } = line
  return (
    <Section title={t('acq.summary')}>
      <Description
        lines={[
          [
            t('acq.title'),
            instanceId ? (
              <Link key="title" to="/inventory/$instanceId" params={{ instanceId }}>
                <bdi>{line.titleOrPackage}</bdi>
              </Link>
            ) : undefined,
          ],
          [t('ord.isPackage'), line.isPackage ? t('acq.yes') : undefined],
          [t('ord.contributors'), line.contributors?.map((one) => one.contributor).join('; ')],
          [
            t('ord.productIds'),
            line.details?.productIds
              ?.map((one) =>
                [names('identifierTypes', one.productIdType), one.productId, one.qualifier]
                  .filter(Boolean)
                  .join(' '),
              )
              .join('; '),
          ],
          [t('acq.format'), word(line.orderFormat)],
          [t('acq.method'), methods?.find((one) => one.id === line.acquisitionMethod)?.value],
          [t('acq.workflow'), t(line.checkinItems ? 'acq.independent' : 'acq.synchronized')],
          [t('acq.createInventory'), word(physical?.createInventory ?? eresource?.createInventory)],
          [t('acq.materialType'), names('materialTypes', physical?.materialType)],
          [t('acq.publisher'), line.publisher],
          [t('acq.published'), line.publicationDate],
          [t('acq.edition'), line.edition],
          [t('acq.requester'), line.requester],
          [t('acq.rush'), line.rush ? t('acq.yes') : undefined],
          [
            t('ord.claims'),
            line.claimingActive ? t('acq.days', { count: line.claimingInterval ?? 0 }) : undefined,
          ],
          [t('ord.bindery'), line.details?.isBinderyActive ? t('acq.yes') : undefined],
          [t('ord.expectedOn'), physical?.expectedReceiptDate && day(physical.expectedReceiptDate)],
          [
            t('ord.references'),
            line.vendorDetail?.referenceNumbers?.map((one) => one.refNumber).join('; '),
          ],
          [t('acq.vendorAccount'), line.vendorDetail?.vendorAccount],
          [t('acq.instructions'), line.vendorDetail?.instructions],
          [t('acq.receivingNote'), line.details?.receivingNote],
          [t('acq.note'), line.poLineDescription],
          [t('acq.tags'), tagsOf(line)],
          ...own,
        ]}
      />
    </Section>
  )
}
