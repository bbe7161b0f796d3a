import { OFFER_COLUMNS } from '@tarifario/core/service';
import type { Examples } from '../example.ts';

/** The columns of `ofertas` that a sheet with nothing but an id and a price does not have. */
const ABSENT = OFFER_COLUMNS.map(({ header }) => header).filter((header) => header !== 'e1');

export const BULK_FILE_EXAMPLES: Examples = {
  bulkUpdateOffers: [
    {
      summary: 'A new price, a new offer, and one that is no longer sold',
      query: { client_id: 1 },
      form: {
        sheets: {
          ofertas: [
            ['offer_id', 'cliente', 'company_name', 'offer_name', 'supply_type', 'tariff_type', 'e1', 'e2', 'e3'],
            [1, 'Asesoría Levante', 'Comercializadora Alba', 'Alba Hogar', 'LUZ', '2.0TD', 0.171, 0.121, 0.086],
          ],
          tramos_consumo: [
            ['offer_id', 'consumption_from', 'consumption_to', 'commission', 'commission_type'],
            [1, 0, 3, 45, 'fixed'],
            [1, 3, null, 16, 'per_mwh'],
          ],
          borrar: [['offer_id'], [2]],
        },
      },
      status: 200,
      answer: {
        upload_id: 3,
        created: 0,
        replaced: 1,
        deactivated: 1,
        companies_created: 0,
        prices_upserted: 0,
        tiers_replaced: 2,
        warnings: [],
      },
    },
    {
      summary: 'What a file would change',
      query: { dry_run: true },
      form: {
        sheets: {
          ofertas: [
            ['offer_id', 'e1'],
            [1, 0.171],
          ],
          tramos_consumo: [['offer_id', 'consumption_from', 'consumption_to', 'commission']],
        },
      },
      status: 200,
      answer: {
        upload_id: null,
        created: 0,
        replaced: 1,
        deactivated: 0,
        companies_created: 0,
        prices_upserted: 0,
        tiers_replaced: 0,
        warnings: [
          {
            code: 'tiers_emptied',
            message: 'offers without a row in the sheet lose all their tiers',
            sheet: 'tramos_consumo',
            count: 1,
            rows: [2],
          },
          {
            code: 'columna_ausente',
            message: `the sheet does not have these columns, and stored offers keep what they have in them: ${ABSENT.join(', ')}`,
            sheet: 'ofertas',
            count: ABSENT.length,
            rows: [],
          },
          {
            code: 'columna_ausente',
            message:
              'the sheet does not have these columns, and stored offers keep what they have in them: commission_type',
            sheet: 'tramos_consumo',
            count: 1,
            rows: [],
          },
        ],
        diff: [
          { sheet: 'ofertas', row: 2, offer_id: 1, field: 'e1', before: 0.178, after: 0.171 },
          {
            sheet: 'ofertas',
            row: 2,
            offer_id: 1,
            field: 'commission_tiers',
            before: [
              { consumption_from: 0, consumption_to: 3, commission: 45, commission_type: 'fixed' },
              { consumption_from: 3, consumption_to: null, commission: 15, commission_type: 'per_mwh' },
            ],
            after: [],
          },
        ],
        diff_count: 2,
      },
    },
  ],
  bulkUpdateCatalogOffers: [
    {
      summary: 'A month of an indexed offer, and an offer of a new retailer',
      form: {
        sheets: {
          ofertas: [
            [
              ...['catalog_offer_id', 'company_name', 'offer_name', 'supply_type', 'tariff_type'],
              ...['gas_energy', 'gas_fixed', 'acepta_dni', 'territory_peninsula'],
            ],
            [null, 'Comercializadora Ebro', 'Ebro Gas', 'GAS', 'RL.1', 0.0588, 5.12, true, true],
          ],
          precios_indexados: [
            ['catalog_offer_id', 'reference_month', 'e1', 'e2', 'e3'],
            [6, '2025-12', 0.21, 0.13, 0.1],
          ],
        },
      },
      status: 200,
      answer: {
        upload_id: 3,
        created: 1,
        replaced: 0,
        deactivated: 0,
        companies_created: 1,
        prices_upserted: 1,
        tiers_replaced: 0,
        warnings: [],
      },
    },
  ],
  bulkTemplateOffers: [
    { summary: 'Electricity of one firm', query: { client_id: 1, supply_type: 'LUZ' }, status: 200 },
  ],
  bulkTemplateIndexedOffers: [{ summary: 'Inactive offers too', query: { include_inactive: true }, status: 200 }],
  bulkTemplateCatalogOffers: [{ summary: 'Gas', query: { supply_type: 'GAS' }, status: 200 }],
  bulkTemplateIndexedCatalogOffers: [{ summary: 'Active offers', status: 200 }],
};
