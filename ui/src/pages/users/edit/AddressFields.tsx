// The addresses: one of each type, one of them the first.
import { useLoaded } from '#/api/query'
import { useText } from '#/i18n/text'
import { addressTypesQuery } from '#/patrons/queries'
import type { Address } from '#/patrons/types'
import { Button } from '#/ui/Button'
import { Checkbox } from '#/ui/Checkbox'
import { Fields } from '#/ui/Fields'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'
import type { PartProps } from './UserForm'
import styles from './user-form.module.css'

export function AddressFields({ user, changePersonal }: PartProps) {
  const t = useText()
  const types = useLoaded(addressTypesQuery)
  const addresses = user.personal.addresses ?? []
  const free = types.filter((type) => !addresses.some((one) => one.addressTypeId === type.id))
  const set = (at: number, patch: Partial<Address>) =>
    changePersonal({
      addresses: addresses.map((one, index) => {
        if (index === at) return { ...one, ...patch }
        return patch.primaryAddress ? { ...one, primaryAddress: false } : one
      }),
    })
  return (
    <>
      {addresses.map((one, at) => {
        const own = types.filter(
          (type) => type.id === one.addressTypeId || free.some((other) => other.id === type.id),
        )
        return (
          <div key={one.id ?? one.addressTypeId} className={styles.address}>
            <Fields>
              <Select
                label={t('users.addressType')}
                value={one.addressTypeId}
                choices={own.map((type) => ({ value: type.id, text: type.addressType }))}
                onChange={(addressTypeId) => set(at, { addressTypeId })}
              />
              <TextField
                label={t('users.street')}
                value={one.addressLine1 ?? ''}
                onChange={(addressLine1) => set(at, { addressLine1 })}
              />
              <TextField
                label={t('users.street2')}
                value={one.addressLine2 ?? ''}
                onChange={(addressLine2) => set(at, { addressLine2 })}
              />
              <TextField
                label={t('users.postalCode')}
                value={one.postalCode ?? ''}
                onChange={(postalCode) => set(at, { postalCode })}
              />
              <TextField
                label={t('users.city')}
                value={one.city ?? ''}
                onChange={(city) => set(at, { city })}
              />
              <TextField
                label={t('users.region')}
                value={one.region ?? ''}
                onChange={(region) => set(at, { region })}
              />
              <TextField
                label={t('users.country')}
                help={t('users.countryHelp')}
                value={one.countryId ?? ''}
                onChange={(countryId) => set(at, { countryId })}
              />
            </Fields>
            <div className="row wrap">
              <Checkbox
                checked={one.primaryAddress === true}
                onChange={(primaryAddress) => set(at, { primaryAddress })}
              >
                {t('users.primaryAddress')}
              </Checkbox>
              <span className="push">
                <Button
                  small
                  kind="quiet"
                  icon="trash-2"
                  onPress={() =>
                    changePersonal({ addresses: addresses.filter((_, index) => index !== at) })
                  }
                >
                  {t('users.removeAddress')}
                </Button>
              </span>
            </div>
          </div>
        )
      })}
      <div className="row">
        <Button
          small
          icon="plus"
          disabled={free.length ? undefined : t('users.noMoreTypes')}
          onPress={() =>
            changePersonal({
              addresses: [
                ...addresses,
                { addressTypeId: free[0]?.id ?? '', primaryAddress: addresses.length === 0 },
              ],
            })
          }
        >
          {t('users.addAddress')}
        </Button>
      </div>
    </>
  )
}
