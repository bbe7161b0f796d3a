import {
  COMMUNITIES,
  CONTRACT_KINDS,
  CURVE_NOTICES,
  INVOICE_NOTICES,
  MEASURED_TARIFFS,
  TERRITORIES,
} from '@tarifario/core/service';
import { z } from 'zod';

/** Shapes of what is read out of invoices and curves. They describe; nothing is converted or refused by them. */

const kwh = z.number().min(0);
const kw = z.number().min(0);
const eur = z.number().nullable();
const price = z.number().optional();
const day = z.iso.date().nullable();

/** `codes`: with a text for each. */
const noticesOf = (codes: Readonly<Record<string, string>>) =>
  z.array(z.strictObject({ codigo: z.enum(Object.keys(codes)), mensaje: z.string() }));

export const invoiceShape = z.strictObject({
  efficient: z.strictObject({
    supply_type: z.literal('LUZ'),
    energia: z.strictObject({ e1: kwh, e2: kwh, e3: kwh }),
    potencia: z.strictObject({ p1: kw, p2: kw }),
    dias: z.int().min(33).max(365),
    tariff_type: z.literal('2.0TD'),
    territory: z.enum(TERRITORIES).optional(),
    community: z.enum(COMMUNITIES).optional(),
  }),
  contrato_actual: z.strictObject({ e1: price, e2: price, e3: price, p1: price, p2: price }).nullable(),
  factura: z.strictObject({
    desde: day,
    hasta: day,
    dias: z.int().min(1).nullable(),
    fecha: day,
    importe: eur,
    importe_potencia: eur,
    importe_energia: eur,
    importe_servicios: eur,
    financiacion_bono_social: eur,
  }),
  contrato: z.strictObject({
    tipo: z.enum(CONTRACT_KINDS).nullable(),
    cuota_fija: z.boolean().nullable(),
    fin_contrato: day,
    fin_permanencia: day,
    comercializadora: z.string().nullable(),
  }),
  avisos: noticesOf(INVOICE_NOTICES),
});

const energy = z.strictObject({
  e1: kwh,
  e2: kwh,
  e3: kwh,
  e4: kwh.optional(),
  e5: kwh.optional(),
  e6: kwh.optional(),
});

export const curveShape = z.strictObject({
  tariff_type: z.enum(MEASURED_TARIFFS),
  zona: z.enum(TERRITORIES),
  dias: z.int().min(1),
  energia: energy,
  excedentes: kwh,
  perfil: z.array(
    z.strictObject({ mes: z.int().min(1).max(12), dias: z.int().min(1), energia: energy, excedentes: kwh }),
  ),
  maximos: z
    .strictObject({ p1: kw, p2: kw, p3: kw.optional(), p4: kw.optional(), p5: kw.optional(), p6: kw.optional() })
    .nullable(),
  cobertura: z.strictObject({
    horas: z.number().min(0),
    horas_esperadas: z.int().min(1),
    estimadas: z.number().min(0),
  }),
  avisos: noticesOf(CURVE_NOTICES),
});
