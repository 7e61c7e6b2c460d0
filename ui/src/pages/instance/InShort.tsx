// The description at a glance, at the end side; names and subjects lead to what else has them.
import { Link } from '@tanstack/react-router'
import { useNames } from '#/api/lists'
import { useText } from '#/i18n/text'
import { Facts } from '#/inventory/Facts'
import type { Instance } from '#/inventory/types'
import { useFormats } from '#/lib/format'
import { Code } from '#/ui/Code'

const FEW = 6

export function InShort({ instance }: { instance: Instance }) {
  const t = useText()
  const formats = useFormats()
  const names = useNames('identifierTypes', 'statisticalCodes', 'instanceStatuses')
  const [publication] = instance.publication ?? []
  const isbns = (instance.identifiers ?? []).filter(
    (one) => names('identifierTypes', one.identifierTypeId) === 'ISBN',
  )
  const find = (by: string, value: string) => (
    <Link key={value} className="line" to="/inventory" search={{ by, q: `${value} ` }}>
      <bdi>{value}</bdi>
    </Link>
  )
  return (
    <>
      <section className="stack">
        <h2>{t('inventory.tab.description')}</h2>
        <Facts
          small
          facts={[
            [t('inventory.title'), <bdi key="title">{instance.title}</bdi>],
            [
              t('inventory.by'),
              instance.contributors?.slice(0, FEW).map((one) => find('contributor', one.name)),
            ],
            [
              t('inventory.published'),
              [
                [publication?.place, publication?.publisher].filter(Boolean).join(' : '),
                publication?.dateOfPublication,
              ]
                .filter(Boolean)
                .join(', '),
            ],
            [t('inventory.extent'), instance.physicalDescriptions?.[0]],
            [
              'ISBN',
              isbns.map((one) => (
                <Code key={one.value} plain>
                  {one.value}
                </Code>
              )),
            ],
            [
              t('inventory.subjects'),
              instance.subjects?.slice(0, FEW).map((one) => find('subject', one.value)),
            ],
            [
              t('inventory.class'),
              instance.classifications?.slice(0, FEW).map((one) => (
                <span key={one.classificationNumber} className="line">
                  <Code plain>{one.classificationNumber}</Code>
                </span>
              )),
            ],
          ]}
        />
      </section>
      <section className="stack">
        <h2>{t('inventory.record')}</h2>
        <Facts
          small
          facts={[
            [t('inventory.source'), instance.source],
            [t('inventory.facet.statusId'), names('instanceStatuses', instance.statusId)],
            [t('inventory.created'), formats.day(instance.metadata?.createdDate ?? '')],
            [t('inventory.updated'), formats.day(instance.metadata?.updatedDate ?? '')],
            [
              t('inventory.codes'),
              formats.list(
                (instance.statisticalCodeIds ?? []).flatMap(
                  (id) => names('statisticalCodes', id) ?? [],
                ),
              ),
            ],
            [t('inventory.tags'), formats.list(instance.tags?.tagList ?? [])],
          ]}
        />
      </section>
    </>
  )
}
