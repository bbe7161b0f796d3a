// Generated from the OpenAPI document: npx vitest run packages/client/src/generated.test.ts -u
export const OPERATIONS = {
  listChanges: {"method":"GET","path":"/v1/changes"},
  listOffers: {"method":"GET","path":"/v1/offers","list":"after_id"},
  createOffer: {"method":"POST","path":"/v1/offers","isReplayable":true},
  rankOffers: {"method":"POST","path":"/v1/offers/efficient"},
  rankPortfolio: {"method":"POST","path":"/v1/offers/efficient/batch"},
  negotiateOffer: {"method":"POST","path":"/v1/offers/efficient/negotiate"},
  recommendOffers: {"method":"GET","path":"/v1/offers/recommend","list":"offset"},
  compareOffers: {"method":"GET","path":"/v1/offers/compare"},
  getStats: {"method":"GET","path":"/v1/offers/stats"},
  exportOffers: {"method":"GET","path":"/v1/offers/export","type":"text/csv"},
  bulkPatchOffers: {"method":"POST","path":"/v1/offers/bulk-patch","isReplayable":true},
  bulkUpdateOffers: {"method":"POST","path":"/v1/offers/bulk-update","isReplayable":true},
  bulkTemplateOffers: {"method":"GET","path":"/v1/offers/bulk-template","type":"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
  bulkTemplateIndexedOffers: {"method":"GET","path":"/v1/offers/bulk-template-indexed","type":"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
  getOffer: {"method":"GET","path":"/v1/offers/{id}"},
  updateOffer: {"method":"PATCH","path":"/v1/offers/{id}"},
  deleteOffer: {"method":"DELETE","path":"/v1/offers/{id}"},
  toggleOffer: {"method":"PATCH","path":"/v1/offers/{id}/toggle","isReplayable":true},
  getOfferHistory: {"method":"GET","path":"/v1/offers/{id}/history","list":"offset"},
  calculateCommission: {"method":"GET","path":"/v1/offers/{id}/commission-calculator"},
  listIndexedPrices: {"method":"GET","path":"/v1/offers/{id}/indexed-prices","list":"offset"},
  upsertIndexedPrice: {"method":"POST","path":"/v1/offers/{id}/indexed-prices","isReplayable":true},
  getIndexedPrice: {"method":"GET","path":"/v1/offers/{id}/indexed-prices/{month}"},
  deleteIndexedPrice: {"method":"DELETE","path":"/v1/offers/{id}/indexed-prices/{month}","type":""},
  listProposals: {"method":"GET","path":"/v1/proposals","list":"after_id"},
  createProposal: {"method":"POST","path":"/v1/proposals","isReplayable":true},
  getProposalPage: {"method":"GET","path":"/v1/proposals/{id}.html","type":"text/html"},
  getProposal: {"method":"GET","path":"/v1/proposals/{id}"},
  deleteProposal: {"method":"DELETE","path":"/v1/proposals/{id}","type":""},
  verifyProposal: {"method":"GET","path":"/v1/proposals/{id}/verify"},
  readInvoice: {"method":"POST","path":"/v1/invoices/qr"},
  readConsumption: {"method":"POST","path":"/v1/consumption/periods"},
  optimizePower: {"method":"POST","path":"/v1/power/optimize"},
  listRegulatedPrices: {"method":"GET","path":"/v1/regulated-prices"},
  listTaxes: {"method":"GET","path":"/v1/taxes"},
  describeComparison: {"method":"GET","path":"/v1/about"},
  listClients: {"method":"GET","path":"/v1/clients","list":"after_id"},
  createClient: {"method":"POST","path":"/v1/clients","isReplayable":true},
  getClient: {"method":"GET","path":"/v1/clients/{id}"},
  updateClient: {"method":"PATCH","path":"/v1/clients/{id}"},
  deleteClient: {"method":"DELETE","path":"/v1/clients/{id}"},
  toggleClient: {"method":"PATCH","path":"/v1/clients/{id}/toggle","isReplayable":true},
  listCompanies: {"method":"GET","path":"/v1/companies","list":"after_id"},
  createCompany: {"method":"POST","path":"/v1/companies","isReplayable":true},
  getCompany: {"method":"GET","path":"/v1/companies/{id}"},
  updateCompany: {"method":"PATCH","path":"/v1/companies/{id}"},
  deleteCompany: {"method":"DELETE","path":"/v1/companies/{id}"},
  toggleCompany: {"method":"PATCH","path":"/v1/companies/{id}/toggle","isReplayable":true},
  listCatalogSubscriptions: {"method":"GET","path":"/v1/clients/{id}/catalog-subscriptions","list":"after_id"},
  subscribeToCatalogCompany: {"method":"PUT","path":"/v1/clients/{id}/catalog-subscriptions/{company_id}"},
  unsubscribeFromCatalogCompany: {"method":"DELETE","path":"/v1/clients/{id}/catalog-subscriptions/{company_id}"},
  listCatalogCompanies: {"method":"GET","path":"/v1/catalog/companies","list":"after_id"},
  createCatalogCompany: {"method":"POST","path":"/v1/catalog/companies","isReplayable":true},
  getCatalogCompany: {"method":"GET","path":"/v1/catalog/companies/{id}"},
  updateCatalogCompany: {"method":"PATCH","path":"/v1/catalog/companies/{id}"},
  deleteCatalogCompany: {"method":"DELETE","path":"/v1/catalog/companies/{id}"},
  toggleCatalogCompany: {"method":"PATCH","path":"/v1/catalog/companies/{id}/toggle","isReplayable":true},
  listCatalogOffers: {"method":"GET","path":"/v1/catalog/offers","list":"after_id"},
  createCatalogOffer: {"method":"POST","path":"/v1/catalog/offers","isReplayable":true},
  bulkUpdateCatalogOffers: {"method":"POST","path":"/v1/catalog/offers/bulk-update","isReplayable":true},
  bulkTemplateCatalogOffers: {"method":"GET","path":"/v1/catalog/offers/bulk-template","type":"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
  bulkTemplateIndexedCatalogOffers: {"method":"GET","path":"/v1/catalog/offers/bulk-template-indexed","type":"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
  getCatalogOffer: {"method":"GET","path":"/v1/catalog/offers/{id}"},
  updateCatalogOffer: {"method":"PATCH","path":"/v1/catalog/offers/{id}"},
  deleteCatalogOffer: {"method":"DELETE","path":"/v1/catalog/offers/{id}"},
  toggleCatalogOffer: {"method":"PATCH","path":"/v1/catalog/offers/{id}/toggle","isReplayable":true},
  listCatalogIndexedPrices: {"method":"GET","path":"/v1/catalog/offers/{id}/indexed-prices","list":"offset"},
  upsertCatalogIndexedPrice: {"method":"POST","path":"/v1/catalog/offers/{id}/indexed-prices","isReplayable":true},
  getCatalogIndexedPrice: {"method":"GET","path":"/v1/catalog/offers/{id}/indexed-prices/{month}"},
  deleteCatalogIndexedPrice: {"method":"DELETE","path":"/v1/catalog/offers/{id}/indexed-prices/{month}","type":""},
  getAccount: {"method":"GET","path":"/v1/account"},
  updateAccount: {"method":"PATCH","path":"/v1/account"},
  changePassword: {"method":"POST","path":"/v1/account/password","type":"","isReplayable":true},
  getSubscription: {"method":"GET","path":"/v1/subscription"},
  listKeys: {"method":"GET","path":"/v1/keys","list":"after_id"},
  createKey: {"method":"POST","path":"/v1/keys","isOnce":true},
  getKey: {"method":"GET","path":"/v1/keys/{id}"},
  revokeKey: {"method":"DELETE","path":"/v1/keys/{id}"},
  listUsage: {"method":"GET","path":"/v1/usage","list":"offset"},
  getUsageSummary: {"method":"GET","path":"/v1/usage/summary"},
  listUploads: {"method":"GET","path":"/v1/uploads","list":"after_id"},
  createUpload: {"method":"POST","path":"/v1/uploads","isReplayable":true},
  getUpload: {"method":"GET","path":"/v1/uploads/{id}"},
  retryUpload: {"method":"PATCH","path":"/v1/uploads/{id}"},
  cancelUpload: {"method":"DELETE","path":"/v1/uploads/{id}"},
  applyUpload: {"method":"POST","path":"/v1/uploads/{id}/apply","isReplayable":true},
  listWebhooks: {"method":"GET","path":"/v1/webhooks","list":"after_id"},
  createWebhook: {"method":"POST","path":"/v1/webhooks","isReplayable":true},
  getWebhook: {"method":"GET","path":"/v1/webhooks/{id}"},
  deleteWebhook: {"method":"DELETE","path":"/v1/webhooks/{id}","type":""},
  rotateWebhookSecret: {"method":"POST","path":"/v1/webhooks/{id}/secret","isReplayable":true},
} as const;

export type Operation<Args, Answer> = { args: Args; answer: Answer };
/** Takes `fields`. */
export type Reducible<Args, Answer> = Operation<Args, Answer> & { takesFields: true };
export type PageOf<Result> = Page & { results: Result[] };
export type NewOffer = NewOfferFields & {
  /** An energy retailer. */
  company_id: number;
  /** 1 to 200 characters. */
  offer_name: string;
  /** `LUZ` is electricity, `GAS` is gas. */
  supply_type: "LUZ" | "GAS";
  /** The access tariff, such as `2.0TD` or `RL.1`. 1 to 32 characters. */
  tariff_type: string;
};
export type RankingQuestion = Question & {
  /** Words of the name of the offer or its retailer, without regard to case and accents. */
  q?: string;
  /** Results at most. Default: `50`. */
  limit?: number;
  /** Results to skip. Default: `0`. */
  offset?: number;
  /** The instant, in UTC, as of which offers and months are ranked: `YYYY-MM-DDTHH:mm:ssZ`, or a day, which is its last millisecond. Left out: now. */
  as_of?: string;
  /** Why each costs more than the cheapest. */
  explicar?: boolean;
  /** Why it costs more than this one. */
  frente_a?: number;
  /** The cheapest by consumption. */
  umbrales_consumo?: boolean;
  /** Indexed offers in past years. */
  retrospectiva?: boolean;
  /** How far its prices may rise. */
  margen?: boolean;
};
export type OfferUpdates = NewOfferFields & {
  /** 1 to 200 characters. */
  offer_name?: string;
  /** The access tariff, such as `2.0TD` or `RL.1`. 1 to 32 characters. */
  tariff_type?: string;
};
export type OfferChanges = OfferUpdates & {
  /** An energy retailer. */
  company_id?: number;
};
export type NewMonth = NewPrices & {
  /** A month: `YYYY-MM` or any day of it is taken, its first day is answered. It is stored from 1990-01 to 2199-12. */
  reference_month: string;
  /** Price of energy in P1, EUR/kWh. From -10 to 10. */
  e1?: number | null;
  /** Price of energy in P2, EUR/kWh. From -10 to 10. */
  e2?: number | null;
  /** Price of energy in P3, EUR/kWh. From -10 to 10. */
  e3?: number | null;
  /** Price of energy in P4, EUR/kWh. From -10 to 10. */
  e4?: number | null;
  /** Price of energy in P5, EUR/kWh. From -10 to 10. */
  e5?: number | null;
  /** Price of energy in P6, EUR/kWh. From -10 to 10. */
  e6?: number | null;
  /** Price of gas, EUR/kWh. From -10 to 10. */
  gas_energy?: number | null;
};
export type NewProposal = {
  request: Question & {
    /** Results at most. Default: `50`. */
    limit?: number;
  };
  /** The offers that are proposed, each among the results. */
  offer_ids: number[];
  /** A note of up to 2 000 characters, which must not identify the customer. */
  nota?: string;
};
export type Changes = {
  changes: Change[];
  next: string;
  has_more: boolean;
};
export type Change = {
  noun: "client" | "company" | "offer" | "catalog_subscriptions" | "catalog_company" | "catalog_offer";
  id: number;
  /** An advisory firm. */
  client_id: number | null;
  state: "active" | "inactive" | "gone";
};
export type Offer = ElectricityOffer | GasOffer;
export type ElectricityOffer = OfferFields & ElectricityPrices & {
  /** `LUZ` is electricity, `GAS` is gas. */
  supply_type: "LUZ";
  /** Kept and returned, EUR/MWh; enters no calculation. */
  fee_power: number | null;
  /** For customers with solar panels. */
  placas_solares: boolean;
  /** What exported energy is worth, EUR/kWh; only on an offer for solar panels. */
  precio_excedentes: number | null;
  /** Whether balancing services are inside the price (true) or billed apart (false). */
  ssaa_included: boolean | null;
  /** Commission by contracted power, at most 50 tiers; electricity only. */
  commission_power_tiers: PowerTier[] | null;
  /** For a highest contracted power from here on, kW; others are excluded. */
  potencia_min_kw: number | null;
  /** For contracted powers up to here, kW; others are excluded. */
  potencia_max_kw: number | null;
  /** Off its price of power in the first `descuento_meses`, percent. */
  descuento_potencia_pct: number | null;
};
export type GasOffer = OfferFields & GasPrices & {
  /** `LUZ` is electricity, `GAS` is gas. */
  supply_type: "GAS";
};
export type Ranking = RankingSummary & {
  /** The instant, in UTC, as of which offers and months are ranked: `YYYY-MM-DDTHH:mm:ssZ`, or a day, which is its last millisecond. Left out: now. */
  as_of?: string;
  /** How many offers were ranked, of which the results show the first. */
  total: number;
  /** How many of the ranked ones have the words of `q`; only where it was sent. */
  encontradas?: number;
  /** Offers that cannot be priced, or are not for the customer, by id, at most 200. */
  excluded: (NamedOffer & {
    /** The reason, in Spanish. */
    motivo: string;
    /** The reason, for machines. */
    codigo: "fuera_de_vigencia" | "fuera_de_limites" | "sin_historico" | "sin_mes" | "sin_precio_energia" | "sin_precio_potencia" | "sin_precio_gas";
    /** Only of `fuera_de_limites`: the first limit that excludes the customer. */
    limite?: {
      /** The field of the offer. */
      campo: string;
      /** Its value, kW or kWh a year; it is within. */
      valor: number;
    };
  })[];
  /** The first offer at w = 0; null without `commissions:read`. */
  mas_comision_id: number | null;
  /** The extremes that the scores are relative to. */
  escala: {
    /** Lowest cost ranked, in EUR over the period. */
    coste_min: number | null;
    /** Highest cost ranked, in EUR over the period. */
    coste_max: number | null;
    /** Lowest commission ranked, in EUR per contract-year. */
    comision_min: number | null;
    /** Highest commission ranked, in EUR per contract-year. */
    comision_max: number | null;
  };
  /** Which offer wins at which weight, from 0 to 1 without a gap; null without `commissions:read`. */
  umbrales: {
    /** Weight from which it wins, included. */
    w_desde: number;
    /** Weight up to which it wins, included. */
    w_hasta: number;
    offer_id: number;
  }[] | null;
  /** Warnings about the answer, in a fixed order: show them before the rest. */
  avisos: Warning[];
  /** What the commission costs the customer. Null without `commissions:read` and where nothing is ranked. */
  conflicto: {
    /** What the weight spends of the annual cost of the customer for one EUR of commission; null at w = 0 and where all pay the same. */
    euros_cliente_por_euro_comision: number | null;
    /** The offer with the best nota. */
    mas_eficiente: ExtraOfYear;
    /** The best paid offer. */
    mas_comision: ExtraOfYear;
  } | null;
  /** The offer that `porque` compares with; only with `explicar`. */
  frente_a?: number | null;
  /** The cheapest offer by consumption, from 0.25 to 4 times without a gap; only where it is asked for. */
  umbrales_consumo?: {
    /** From so many times the energy and its surplus, included. */
    factor_desde: number;
    /** Up to so many times, included. */
    factor_hasta: number;
    offer_id: number;
  }[];
  /** How far each price of the first offer may rise, one at a time, at the weight w; only where it is asked for. */
  margen?: {
    /** A part of the cost; energy and power by period: `energia_p1` to `energia_p6`, `potencia_p1` to `potencia_p6`. */
    concepto: string;
    /** The price up to which the first offer is the best, in the unit of an offer; null: at any price. */
    sube_hasta: number | null;
  }[];
  results: RankingResult[];
};
export type RankingResult = Figures & {
  /** The place among all that are ranked; only with `q`. */
  puesto?: number;
  offer: RankedOffer;
  /** Where the prices of an indexed offer come from; null for other offers. */
  indexada: {
    /** `media`: the mean of the last 12 months of the history; `mes`: one month. */
    modo: "media" | "mes";
    /** Whether energy was priced by the months of a profile: `precios` is their mean then, and not what each month cost. */
    ponderado: boolean;
    /** How many months were averaged. */
    meses_historico: number | null;
    /** First month averaged. */
    desde: string | null;
    /** Last month averaged. */
    hasta: string | null;
    /** The month that was applied. */
    mes: string | null;
    /** The prices that were applied. */
    precios: ElectricityPrices | GasPrices;
  } | null;
  /** True for the first offer, and only for it. */
  is_optimal: boolean;
  /** No other offer is at least as cheap and as well paid, and better in one of both. */
  en_frontera: boolean | null;
  /** Why it costs more than `frente_a`, the largest first; the sum is the difference of the costs. Only with `explicar`. */
  porque?: {
    /** A part of the cost; energy and power by period: `energia_p1` to `energia_p6`, `potencia_p1` to `potencia_p6`. */
    concepto: string;
    /** EUR over the period; below 0 where it is cheaper. */
    diferencia: number;
  }[];
  /** The cost of an indexed offer by each year of its history; only where it is asked for. */
  retrospectiva?: {
    /** How many times 12 consecutive months of the history give a cost; at 0 the rest is null. */
    ventanas: number;
    /** The lowest cost by one of them, in EUR over the period. */
    minimo: number | null;
    /** The median cost, in EUR over the period. */
    mediana: number | null;
    /** The highest cost, in EUR over the period. */
    maximo: number | null;
    /** The cost by the latest 12 months, in EUR over the period. */
    ultimo: number | null;
    /** How often it was cheaper than the cheapest offer that is not indexed. */
    veces_mas_barata: number | null;
    /** The most that it cost beyond that one, in EUR over the period. */
    arrepentimiento_max: number | null;
    /** The most that it cost less than that one, in EUR over the period. */
    ventaja_max: number | null;
  };
  /** The same in Spanish, with the two largest; only with `explicar`. */
  porque_texto?: string;
};
export type RankedOffer = RankedElectricityOffer | RankedGasOffer;
export type RankedElectricityOffer = ElectricityPrices & RankedOfferFields & {
  /** `LUZ` is electricity, `GAS` is gas. */
  supply_type: "LUZ";
  /** For customers with solar panels. */
  placas_solares?: true;
};
export type RankedGasOffer = RankedOfferFields & GasPrices & {
  /** `LUZ` is electricity, `GAS` is gas. */
  supply_type: "GAS";
};
export type Portfolio = {
  /** The instant, in UTC, as of which offers and months are ranked: `YYYY-MM-DDTHH:mm:ssZ`, or a day, which is its last millisecond. Left out: now. */
  as_of?: string;
  /** How many customers were sent. */
  total: number;
  /** How many of the best offers each customer gets. */
  top: number;
  results: (PortfolioAnswer | PortfolioRefusal)[];
};
export type PortfolioAnswer = RankingSummary & {
  /** Your name for the customer, which the answer repeats. Null if the name itself is wrong. */
  ref: string;
  /** How many offers were ranked. */
  total: number;
  /** Warnings about the answer, in a fixed order: show them before the rest. */
  avisos: ("sin_potencia" | "peaje_imposible" | "peajes_mezclados" | "peaje_en_el_limite" | "gas_capacidad" | "consumo_en_un_periodo" | "potencia_en_un_periodo" | "consumo_improbable" | "potencia_decreciente" | "potencia_bajo_regulado" | "penalizacion_sobre_el_limite" | "descuento_temporal" | "ssaa_mezclados" | "historico_corto" | "historico_antiguo" | "historico_sin_actualizar" | "ventanas_distintas" | "periodo_incoherente" | "excedentes_tope_anual" | "bono_social" | "salir_de_la_tur" | "indexada_sin_curva" | "solo_con_placas" | "placas_sin_excedentes" | "sin_filtro_territorio" | "sin_filtro_cliente" | "terminos_desconocidos" | "fee_power_sin_efecto" | "actual_improbable" | "menos_de_un_ano" | "alcance_actual" | "peaje_sin_ofertas" | "sin_ofertas" | "alquiler_sin_indicar" | "bono_sin_dato" | "tipo_por_confirmar" | "orden_distinto_con_impuestos")[];
  /** With `peaje_sin_ofertas`: at most three tariffs that offers have, the most similar to `tariff_type` first. With `peaje_imposible`: those to ask with. */
  peajes_parecidos?: string[];
  /** The best offers, at most `top`, the best first. */
  best: (Figures & NamedOffer)[];
};
export type PortfolioRefusal = {
  /** Your name for the customer, which the answer repeats. Null if the name itself is wrong. */
  ref: string | null;
  error: {
    code: "invalid_request" | "unauthenticated" | "wrong_password" | "account_inactive" | "missing_scope" | "weight_needs_commissions" | "foreign_firm" | "bound_key" | "firm_inactive" | "not_catalog_editor" | "not_full_access" | "firm_limit_reached" | "quota_reached" | "storage_full" | "not_found" | "no_subscription" | "duplicate_name" | "duplicate_email" | "wrong_state" | "precondition_failed" | "unknown_cursor" | "idempotency_in_flight" | "idempotency_rights_changed" | "idempotency_mismatch" | "request_timeout" | "too_large" | "unsupported_media_type" | "method_not_allowed" | "business_rule" | "rate_limited" | "unavailable" | "internal_error";
    message: string;
    errors?: {
      path: string;
      error: string;
    }[];
    alternativas?: {
      concepto: string;
      aplica: string;
      valores: {
        /** %, or EUR/MWh, EUR/kWh, EUR a month or a year. */
        valor: number;
        condicion: string;
      }[];
    }[];
    /** Each `impuestos.tipos` that may be sent; absent where a value is not known. */
    opciones?: {
      /** A complete `impuestos.tipos`. */
      tipos: { [key: string]: number };
      /** When these are the rates of the law. */
      condicion: string;
    }[];
  };
};
export type Negotiation = {
  offer_id: number;
  /** How many customers were sent. */
  total: number;
  /** Every fall that wins customers, the smallest first. */
  tramos: {
    /** A fall of the prices of energy, in EUR/MWh. */
    baja_eur_mwh: number;
    /** For how many customers the offer is the first then. */
    clientes: number;
    /** Their consumption of a year, in MWh. */
    mwh: number;
  }[];
  results: ({
    /** Your name for the customer, which the answer repeats. Null if the name itself is wrong. */
    ref: string;
    /** Consumption of a year, in MWh. */
    mwh_anuales: number;
    /** By how much the prices of energy have to fall for the offer to be the first, in EUR/MWh; 0 where it is, null where it is not ranked or no price makes it the first. */
    hueco_eur_mwh: number | null;
  } | PortfolioRefusal)[];
};
export type Recommendation = ExpectedCommission & {
  offer: Offer;
  /** Both commissions together, in EUR per contract-year. */
  total_commission: number;
  /** True where the customer cannot contract its access tariff, else absent; only without `tariff_type`. */
  peaje_imposible?: true;
};
export type OfferDetail = ElectricityOfferDetail | GasOfferDetail;
export type ElectricityOfferDetail = ElectricityOffer & {
  /** All monthly prices, oldest first. */
  indexed_prices: ElectricityMonth[];
  /** How many months are stored. */
  indexed_prices_total: number;
};
export type ElectricityMonth = ElectricityPrices & {
  /** A month: `YYYY-MM` or any day of it is taken, its first day is answered. It is stored from 1990-01 to 2199-12. */
  reference_month: string;
};
export type GasOfferDetail = GasOffer & {
  /** All monthly prices, oldest first. */
  indexed_prices: GasMonth[];
  /** How many months are stored. */
  indexed_prices_total: number;
};
export type GasMonth = GasPrices & {
  /** A month: `YYYY-MM` or any day of it is taken, its first day is answered. It is stored from 1990-01 to 2199-12. */
  reference_month: string;
};
export type Stats = {
  offers: RecordCount & {
    by_supply: {
      LUZ: SupplyCount;
      GAS: SupplyCount;
    };
  };
  clients: RecordCount;
  companies: RecordCount;
  uploads: {
    /** How many there are in all. */
    total: number;
    by_status: {
      pending: number;
      processing: number;
      completed: number;
      failed: number;
      cancelled: number;
    };
  };
};
export type BulkReport = FileCounts & {
  /** The record of the file; null for a dry run that does not keep it. */
  upload_id: number | null;
  /** The rows of both sheets of tiers; of an upload null without `commissions:read`. */
  tiers_replaced: number;
  /** What a dry run would change, field by field, by sheet and row: at most 1000 entries. */
  diff?: {
    sheet: "ofertas" | "precios_indexados" | "tramos_consumo" | "tramos_potencia" | "borrar";
    /** As the spreadsheet numbers it: the first one is 1, and the header counts. */
    row: number;
    offer_id: number | null;
    /** The name of the offer, as stored or as the file creates it. */
    offer_name: string;
    /** The retailer of the offer, as stored or as the file creates it. */
    company_name: string;
    field: string;
    /** As it is; null: nothing, or a commission that the key may not see. */
    before: unknown;
    /** As it would be; null: nothing, or a commission that the key may not see. */
    after: unknown;
  }[];
  /** How many entries there are, those that are not shown included. */
  diff_count?: number;
};
export type OfferEvent = {
  /** When it was done. */
  changed_at: string;
  /** The key that did it; null: the command line, or a key of somebody else where the offer is of the catalog. */
  key_id: number | null;
  /** What was changed; empty: the offer was created. */
  fields: {
    /** What was changed: a field of the offer, or `indexed_prices` for one of its months. */
    field: string;
    /** The same before it. */
    before: unknown;
    /** The value, or for `indexed_prices` the month, after the change; null: none. */
    after: unknown;
  }[];
};
export type CommissionCalculation = ExpectedCommission & {
  offer_id: number;
  /** Annual consumption in MWh. */
  consumption_mwh: number;
  /** Contracted power in kW. */
  power_kw: number | null;
};
export type MonthlyPrices = ElectricityMonth | GasMonth;
export type ProposalEntry = {
  id: number;
  created_at: string;
  /** An advisory firm. */
  client_id: number | null;
  /** The note; null: none. */
  nota: string | null;
  sha256: string;
  /** The path of the proposal. */
  url: string;
};
export type Proposal = ProposalEntry & {
  request: { [key: string]: unknown };
  /** The offers that are proposed, each among the results. */
  offer_ids: number[];
  answer: Ranking;
  /** The rows of the page without commissions: the cheapest, then the proposed ones that are not among them. */
  pagina: {
    /** The place among all ranked offers in the order of cost, then id, from 1. */
    puesto: number;
    offer_id: number;
    offer_name: string;
    /** The retailer's name; in questions a part, any case. */
    company_name: string;
    /** The access tariff, such as `2.0TD` or `RL.1`. */
    tariff_type: string;
    /** EUR over the calculation period, without taxes and without the rental of the meter. */
    cost: {
      /** Energy with its fee, in EUR over the period. */
      energia: number;
      /** Power with its fee, in EUR over the period. */
      potencia: number;
      /** Fixed term of gas, in EUR over the period. */
      fijo: number;
      /** Credit for exported energy, 0 or negative, in EUR over the period. */
      excedentes: number;
      /** Extra services, in EUR over the period. */
      servicios: number;
      /** Balancing services, only with `ssaa_eur_mwh` and an offer that bills them apart, in EUR over the period. */
      ssaa?: number;
      /** The sum, in EUR over the period: what is compared. */
      total: number;
    };
    /** What cost.total is without its discount, in EUR over the period; only where some ranked offer has a discount, null for one without. */
    coste_sin_descuento?: number | null;
    /** What cost.total is twelve months later, in EUR over the period; only where some ranked offer has a discount, null for one without. */
    coste_segundo_anio?: number | null;
    /** The estimated bill with taxes, in whole cents; only where bills were asked for. */
    factura_estimada?: {
      /** Energy with its fee, in EUR over the period. */
      energia: number;
      /** Power with its fee, in EUR over the period. */
      potencia: number;
      /** Fixed term of gas, in EUR over the period. */
      fijo: number;
      /** Credit for exported energy, 0 or negative, in EUR over the period. */
      excedentes: number;
      /** Financing of the social bonus, in EUR over the period. */
      financiacion_bono_social: number;
      /** Other lines that bear electricity tax, in EUR over the period. */
      otros_con_iee: number;
      /** What the electricity tax is a share of; no part of the total, in EUR over the period. */
      base_impuesto_electrico: number;
      /** Electricity tax, in EUR over the period. */
      impuesto_electrico: number;
      /** Hydrocarbons tax of gas, in EUR over the period. */
      impuesto_hidrocarburos: number;
      /** Rental of the meter, in EUR over the period. */
      alquiler: number;
      /** Other lines that bear no electricity tax, in EUR over the period. */
      otros_sin_iee: number;
      /** Extra services, in EUR over the period. */
      servicios: number;
      /** VAT, IGIC or IPSI, in EUR over the period. */
      impuesto_indirecto: number;
      /** What the customer pays, in EUR over the period. */
      total: number;
    };
    /** What the offer saves beside the present contract; null where none was sent. */
    ahorro: {
      /** EUR over the period, before tax; below 0 where the offer costs more. Null beside `factura_total`. */
      eur: number | null;
      /** The same over 365 days. */
      eur_anual: number | null;
      /** Of what is paid today, with 2 decimals; null where that is 0 or less. */
      porcentaje: number | null;
      /** EUR of the bill, with taxes; only with a bill. */
      factura?: number | null;
      /** Of the bill of today; only with a bill. */
      factura_porcentaje?: number | null;
    } | null;
    /** What the surplus of the customer is worth, EUR/kWh; absent where it is worth nothing. */
    precio_excedentes?: number;
    /** What the contract of the offer says besides prices; only what is known. */
    condiciones?: {
      /** For a highest contracted power from here on, kW; others are excluded. */
      potencia_min_kw?: number | null;
      /** For contracted powers up to here, kW; others are excluded. */
      potencia_max_kw?: number | null;
      /** For an annual consumption from here on, kWh; others are excluded. */
      consumo_min_kwh?: number | null;
      /** For an annual consumption up to here, kWh; others are excluded. */
      consumo_max_kwh?: number | null;
      /** The first day on which it can be signed; `fecha_firma` before it is excluded. */
      vigente_desde?: string | null;
      /** The last day on which it can be signed; `fecha_firma` after it is excluded. */
      vigente_hasta?: string | null;
      /** Permanence, months; 0 is none, null is not known. */
      permanencia_meses?: number | null;
      /** For leaving before the permanence ends, EUR. */
      penalizacion_eur?: number | null;
      /** For leaving before the permanence ends, percent of the energy that is left by estimate. */
      penalizacion_pct?: number | null;
      /** For how many months its prices are fixed. */
      precio_fijo_meses?: number | null;
      /** Off its price of energy in the first `descuento_meses`, percent. */
      descuento_energia_pct?: number | null;
      /** Off its price of power in the first `descuento_meses`, percent. */
      descuento_potencia_pct?: number | null;
      /** For how many months it has its discounts. */
      descuento_meses?: number | null;
      /** Whether its energy is certified as renewable. */
      energia_verde?: boolean | null;
      /** Whether a change of regulated tolls changes its prices. */
      peajes_revisables?: boolean | null;
      /** What else the customer must do or have; told, never priced. */
      requisitos?: string | null;
    };
    /** True where the customer cannot contract its access tariff, else absent; only without `tariff_type`. */
    peaje_imposible?: true;
  }[];
  /** 128 random bits, hexadecimal: without them sha256 would confirm a guess of a commission. */
  sal: string;
};
export type Verification = {
  reproducible: boolean;
  sha256_now: string;
  /** The first 100 places where the answer made again differs from the stored one. */
  differences: {
    /** The place, with points between names and indexes; `seal`: in stored data that is not shown. */
    path: string;
    /** The stored value; null: none. */
    then: unknown;
    /** The value that is made today; null: none. */
    now: unknown;
  }[];
};
export type InvoiceReading = {
  /** The question, as a ranking takes it. */
  efficient: {
    /** `LUZ` is electricity, `GAS` is gas. */
    supply_type: "LUZ";
    /** Consumption of electricity by period. */
    energia: {
      /** Consumption in P1, kWh over the calculation period. */
      e1: number;
      /** Consumption in P2, kWh over the calculation period. */
      e2: number;
      /** Consumption in P3, kWh over the calculation period. */
      e3: number;
    };
    /** Contracted power by period. */
    potencia: {
      /** Contracted power in P1, kW. */
      p1: number;
      /** Contracted power in P2, kW. */
      p2: number;
    };
    /** Days of the calculation period: count for power and for the annual consumption. */
    dias: number;
    /** The access tariff, such as `2.0TD` or `RL.1`. */
    tariff_type: "2.0TD";
    /** Where the supply is. */
    territory?: "peninsula" | "canarias" | "baleares" | "ceuta_melilla";
    /** An autonomous community; offers without restriction match too. */
    community?: "andalucia" | "aragon" | "asturias" | "baleares" | "canarias" | "cantabria" | "castilla_la_mancha" | "castilla_y_leon" | "cataluna" | "ceuta" | "comunidad_valenciana" | "extremadura" | "galicia" | "la_rioja" | "madrid" | "melilla" | "murcia" | "navarra" | "pais_vasco";
  };
  /** What the customer pays today: before tax prices in the units of an offer or `coste_total`, with taxes `factura_total`. Of an invoice null unless they are fixed, and each that the question needs is known. */
  contrato_actual: {
    /** Price of energy in P1, EUR/kWh. */
    e1?: number;
    /** Price of energy in P2, EUR/kWh. */
    e2?: number;
    /** Price of energy in P3, EUR/kWh. */
    e3?: number;
    /** Price of power in P1, EUR/kW and day. */
    p1?: number;
    /** Price of power in P2, EUR/kW and day. */
    p2?: number;
    /** Extra services, EUR/month, out of one invoice. */
    services_cost?: number;
  } | null;
  /** The invoice, as far as the code tells; null: it does not. */
  factura: {
    /** First day of the invoice, included. */
    desde: string | null;
    /** Last day of the invoice, included. */
    hasta: string | null;
    /** Days of the invoice. */
    dias: number | null;
    /** The day on which the invoice was made. */
    fecha: string | null;
    /** Amount of the invoice with taxes, EUR. */
    importe: number | null;
    /** Its part for power, EUR. */
    importe_potencia: number | null;
    /** Its part for energy, EUR. */
    importe_energia: number | null;
    /** Its part for additional services, EUR. They are no price of the contract. */
    importe_servicios: number | null;
    /** Share of the social bonus, EUR; -1 for PVPC, 0 where it is part of the price. */
    financiacion_bono_social: number | null;
    /** Highest power of the last year. */
    potencia_maxima: {
      /** Highest power in P1, kW. */
      p1: number | null;
      /** Highest power in P2, kW. */
      p2: number | null;
    };
    /** Null where a line, the place or a rate is not known. */
    comprobacion: {
      /** Its amount computed again from its lines and the taxes of its day, EUR. */
      total_calculado: number;
      /** What is printed minus that, EUR. Above 0.02 ask the retailer. */
      diferencia: number;
      /** Whether the social bonus bears electricity tax; null: both fit, or neither does. */
      bono_en_iee: boolean | null;
    } | null;
  };
  /** The present contract, as far as the code has it; null: it does not. */
  contrato: {
    /** Which kind of prices it has. */
    tipo: ("pvpc" | "indexado" | "fijo_tres_periodos" | "fijo_un_precio" | "flexible" | "tarifa_plana") | null;
    /** Whether the contract has a monthly fee. The code does not say its amount. */
    cuota_fija: boolean | null;
    /** Last day of the contract. */
    fin_contrato: string | null;
    /** Last day on which ending the contract costs a penalty. */
    fin_permanencia: string | null;
    /** The code of the retailer in its register, such as `R2-760`; null: the code says none. */
    comercializadora: string | null;
    /** Whether the electricity is of renewable origin. */
    verde: boolean | null;
    /** After how many months prices are revised. */
    revision_meses: number | null;
  };
  /** Warnings about the answer, in a fixed order: show them before the rest. */
  avisos: {
    /** What it is about, for machines. */
    codigo: "base_anual_dudosa" | "consumo_de_una_factura" | "consumo_imposible" | "codigo_postal_desconocido" | "precio_no_contractual" | "cuota_fija_desconocida" | "potencia_no_cuadra" | "sin_precio_energia" | "excedentes_sin_medir" | "excedentes_sin_precio" | "descuento_no_incluido" | "servicios_estimados" | "bono_social" | "potencia_sobrante" | "potencia_superada" | "precios_cambian" | "promocion_temporal" | "contrato_por_vencer";
    /** The same for people, in Spanish. */
    mensaje: string;
  }[];
};
export type Curve = {
  /** The access tariff, such as `2.0TD` or `RL.1`. */
  tariff_type: "2.0TD" | "3.0TD" | "3.0TDVE" | "6.1TD" | "6.1TDVE" | "6.2TD" | "6.3TD" | "6.4TD";
  /** Where the supply is. */
  zona: "peninsula" | "canarias" | "baleares" | "ceuta_melilla";
  /** Days that the file has. */
  dias: number;
  /** Consumption of electricity by period. */
  energia: CurveEnergy;
  /** Energy exported, in kWh over the calculation period. */
  excedentes: number;
  /** Consumption and surplus by parts of the period, such as calendar months: 1 to 36. In a question its sums are the consumption, `excedentes` and `dias`, which may be left out. */
  perfil: {
    /** The month of the year, 1 to 12: indexed offers apply the prices of that month. */
    mes: number;
    /** Days of the entry; of a curve those that the file has. */
    dias: number;
    /** Consumption of electricity by period. */
    energia: CurveEnergy;
    /** Energy exported in the entry, in kWh: credited up to what its energy costs. */
    excedentes: number;
  }[];
  /** Highest power by period, kW; null without quarter-hours, because an hour has only a mean. */
  maximos: {
    /** Highest power in P1, kW. */
    p1: number;
    /** Highest power in P2, kW. */
    p2: number;
    /** Highest power in P3, kW. */
    p3?: number;
    /** Highest power in P4, kW. */
    p4?: number;
    /** Highest power in P5, kW. */
    p5?: number;
    /** Highest power in P6, kW. */
    p6?: number;
  } | null;
  /** How much of its days the curve has. */
  cobertura: {
    /** Hours that the file has; null: it has totals by month. */
    horas: number | null;
    /** Hours of all days from the first to the last. */
    horas_esperadas: number;
    /** Hours that were estimated and not metered. */
    estimadas: number;
  };
  /** Warnings about the answer, in a fixed order: show them before the rest. */
  avisos: {
    /** What it is about, for machines. */
    codigo: "horas_estimadas" | "horas_por_inicio" | "horas_sin_datos" | "menos_de_un_ano" | "totales_mensuales";
    /** The same for people, in Spanish. */
    mensaje: string;
  }[];
};
export type PowerAdvice = {
  /** The power of today. */
  actual: {
    /** kW by period: a `potencia` of questions to rank. */
    potencia: {
      /** Contracted power in P1, kW. */
      p1: number;
      /** Contracted power in P2, kW. */
      p2: number;
      /** Contracted power in P3, kW. */
      p3?: number;
      /** Contracted power in P4, kW. */
      p4?: number;
      /** Contracted power in P5, kW. */
      p5?: number;
      /** Contracted power in P6, kW. */
      p6?: number;
    };
    /** Price of the power, EUR over the days sent. */
    fijo: number;
    /** Excess of power, EUR over the days sent. */
    excesos: number;
    /** EUR over the days sent. */
    total: number;
  };
  /** The power that costs least; of equally cheap ones the highest. */
  optima: {
    /** kW by period: a `potencia` of questions to rank. */
    potencia: {
      /** Contracted power in P1, kW. */
      p1: number;
      /** Contracted power in P2, kW. */
      p2: number;
      /** Contracted power in P3, kW. */
      p3?: number;
      /** Contracted power in P4, kW. */
      p4?: number;
      /** Contracted power in P5, kW. */
      p5?: number;
      /** Contracted power in P6, kW. */
      p6?: number;
    };
    /** Price of the power, EUR over the days sent. */
    fijo: number;
    /** Excess of power, EUR over the days sent. */
    excesos: number;
    /** EUR over the days sent. */
    total: number;
  };
  /** The least power without excess. */
  cubriente: {
    /** kW by period: a `potencia` of questions to rank. */
    potencia: {
      /** Contracted power in P1, kW. */
      p1: number;
      /** Contracted power in P2, kW. */
      p2: number;
      /** Contracted power in P3, kW. */
      p3?: number;
      /** Contracted power in P4, kW. */
      p4?: number;
      /** Contracted power in P5, kW. */
      p5?: number;
      /** Contracted power in P6, kW. */
      p6?: number;
    };
    /** Price of the power, EUR over the days sent. */
    fijo: number;
    /** Excess of power, EUR over the days sent. */
    excesos: number;
    /** EUR over the days sent. */
    total: number;
  };
  /** What the optimum saves in 365 days, EUR; below 0 it costs more. */
  ahorro_anual: number;
  /** The optimum by period. */
  detalle: {
    /** The period. */
    periodo: "p1" | "p2" | "p3" | "p4" | "p5" | "p6";
    /** Contracted today, kW. */
    potencia: number;
    /** The power that costs least, kW. */
    optima: number;
    /** EUR over the days sent. */
    fijo: number;
    /** EUR over the days sent. */
    excesos: number;
    /** A kW pays if it is used on more days of the entries; null where excess is not paid by the day. */
    dias_rentables: number | null;
    /** Days of the entries that have the period. */
    dias_del_periodo: number;
    /** Maxima above the optimum. */
    maximos_por_encima: number;
  }[];
  /** What is above the power of today. */
  excesos_hoy: {
    /** The month, 1 to 12; null where none was sent. */
    mes: number | null;
    /** The period. */
    periodo: "p1" | "p2" | "p3" | "p4" | "p5" | "p6";
    /** kW of the maximum above the power of today. */
    kw: number;
    /** What that costs, EUR. */
    eur: number;
  }[];
  /** Those without a maximum above 0: their power stays that of today. Absent where there are none. */
  periodos_sin_maximos?: ("p1" | "p2" | "p3" | "p4" | "p5" | "p6")[];
  /** The laws whose prices were used. */
  tarifas: {
    /** The law. */
    norma: string;
    /** Its text. */
    url: string | null;
    /** First day. */
    desde: string;
    /** Last day; null: it holds until the law changes. */
    hasta: string | null;
  }[];
  /** Warnings about the answer, in a fixed order: show them before the rest. */
  avisos: {
    /** What it is about, for machines. */
    codigo: "cabe_en_2_0TD" | "necesita_3_0TD" | "un_cambio_al_ano" | "derechos_insuficientes" | "maximos_por_hora" | "menos_de_un_ano" | "maximos_improbables";
    /** The same for people, in Spanish. */
    mensaje: string;
  }[];
};
export type RegulatedPrices = {
  /** The day of the prices. */
  fecha: string;
  /** A row for each price. */
  filas: {
    /** Tolls, charges, both together, or excess by types of meters. */
    concepto: "peajes" | "cargos" | "peajes_y_cargos" | "exceso_tipos_4_5" | "exceso_tipos_1_3";
    /** `2.0TD`, `3.0TD` or `6.1TD`. */
    tariff_type: string;
    /** In `unidad`, by period. */
    precios: {
      /** Contracted power in P1, kW. */
      p1: number;
      /** Contracted power in P2, kW. */
      p2: number;
      /** Contracted power in P3, kW. */
      p3?: number;
      /** Contracted power in P4, kW. */
      p4?: number;
      /** Contracted power in P5, kW. */
      p5?: number;
      /** Contracted power in P6, kW. */
      p6?: number;
    };
    /** EUR per kW and year or day; of excess by quarter-hours per kW. */
    unidad: "EUR/kW·año" | "EUR/kW·día" | "EUR/kW";
    /** The law. */
    norma: string;
    /** Its text. */
    url: string | null;
    /** First day. */
    desde: string;
    /** Last day; null: it holds until the law changes. */
    hasta: string | null;
    /** Whether the text of the law was read. */
    seguro: boolean;
  }[];
};
export type Taxes = {
  /** The day. */
  fecha: string;
  /** The rates; what is missing is not known. */
  filas: {
    /** What the rate is of. */
    concepto: "impuesto_electrico" | "impuesto_electrico_minimo" | "iva" | "igic" | "ipsi" | "hidrocarburos" | "financiacion_bono" | "alquiler";
    /** `LUZ` is electricity, `GAS` is gas. */
    supply_type: "LUZ" | "GAS";
    /** Where the supply is. */
    territorio: "peninsula" | "canarias" | "baleares" | "ceuta_melilla";
    /** To what it applies. */
    aplica: "general" | "reducido" | "vivienda" | "servicios" | "industrial" | "profesional" | "monofasico" | "trifasico";
    /** %, or EUR/MWh, EUR/kWh, EUR a month or a year. */
    valor?: number;
    /** In place of `valor`, where the rate is undecided: what it may be. */
    valores?: {
      /** %, or EUR/MWh, EUR/kWh, EUR a month or a year. */
      valor: number;
      condicion: string;
    }[];
    unidad: "%" | "EUR/MWh" | "EUR/kWh" | "EUR/año" | "EUR/mes";
    /** First day. */
    desde: string;
    /** Last day; null: it holds until the law changes. */
    hasta: string | null;
    /** The law. */
    norma: string;
    /** Its text. */
    url: string | null;
    /** Whether the text of the law was read for every day. */
    seguro: boolean;
    /** What decides an undecided rate; null: the article says, or it is decided. */
    condicion: string | null;
  }[];
};
export type About = {
  /** Who operates this comparison; null where the operator does not say. */
  owner: string | null;
  /** Who pays for it; null where the operator does not say. */
  financing: string | null;
  /** Where an error is reported; null where the operator does not say. */
  contact: string | null;
  /** How offers are put in order: at the weight w. */
  criteria: {
    es: string;
    en: string;
  };
  /** What is compared. */
  scope: {
    es: string;
    en: string;
  };
  /** How many active offers this key can compare. */
  offers: number;
  /** How many retailers have them. */
  retailers: number;
  /** When one of them or of its monthly prices last changed. */
  newest_change: string | null;
};
export type Client = {
  id: number;
  name: string;
  /** A picture of the firm, https. */
  image_url: string | null;
  is_active: boolean;
};
export type ClientDetail = {
  id: number;
  name: string;
  /** A picture of the firm, https. */
  image_url: string | null;
  is_active: boolean;
  /** The picture that proposals of the firm show: a data: URI of a PNG, JPEG or WebP in base64, at most 65536 bytes of picture. */
  logo: string | null;
};
export type Company = {
  id: number;
  /** The advisory firm that owns the retailer; null: the shared catalog. */
  client_id: number | null;
  name: string;
  /** A picture of the retailer, https. */
  logo_url: string | null;
  is_active: boolean;
};
export type CatalogSubscription = {
  company: Company;
  /** Whether the catalog offers of the retailer take part in the rankings of the firm. */
  subscribed: boolean;
};
export type Account = {
  id: number;
  name: string;
  email: string;
  is_active: boolean;
  created_at: string;
  key: {
    full_access: boolean;
    /** An advisory firm. */
    client_id: number | null;
    scopes: ("offers:read" | "offers:write" | "offers:export" | "commissions:read" | "indexed_prices:read" | "companies:read" | "companies:write" | "clients:read" | "clients:write" | "catalog:read" | "catalog:write" | "proposals:write" | "webhooks:write")[];
  };
  /** Bytes that the account has stored, and may store. What would be more is refused with `storage_full`. */
  storage: {
    /** Versions of offers: each change leaves one, and none is deleted. Null also for a key of one firm. */
    history_bytes: number | null;
    history_limit: number;
    /** Proposals that are not deleted. Null also for a key of one firm. */
    proposals_bytes: number | null;
    proposals_limit: number;
  };
  /** Webhooks that get no more events; left out where there are none. */
  disabled_webhooks?: number[];
};
export type Subscription = {
  id: number;
  plan: "free" | "trial" | "starter" | "pro" | "business";
  status: "active" | "cancelled";
  /** How many active advisory firms the plan allows. */
  clients_limit: number;
  trial_ends_at: string | null;
  current_period_end: string;
  created_at: string;
};
export type ApiKey = {
  id: number;
  /** The first characters of the key, to recognise it by. */
  prefix: string;
  name: string | null;
  /** An advisory firm. */
  client_id: number | null;
  full_access: boolean;
  /** Empty for full access. */
  scopes: ("offers:read" | "offers:write" | "offers:export" | "commissions:read" | "indexed_prices:read" | "companies:read" | "companies:write" | "clients:read" | "clients:write" | "catalog:read" | "catalog:write" | "proposals:write" | "webhooks:write")[];
  /** Whether it was not revoked; one that has ended stays active. */
  is_active: boolean;
  /** Whether it is the key of this call. */
  is_own: boolean;
  /** From when on it is refused; null: it does not end by itself. */
  expires_at: string | null;
  /** Up to ten minutes before the last use; null: never used. */
  last_used_at: string | null;
  created_at: string;
};
export type ApiKeyWithSecret = {
  id: number;
  /** The first characters of the key, to recognise it by. */
  prefix: string;
  name: string | null;
  /** An advisory firm. */
  client_id: number | null;
  full_access: boolean;
  /** Empty for full access. */
  scopes: ("offers:read" | "offers:write" | "offers:export" | "commissions:read" | "indexed_prices:read" | "companies:read" | "companies:write" | "clients:read" | "clients:write" | "catalog:read" | "catalog:write" | "proposals:write" | "webhooks:write")[];
  /** Whether it was not revoked; one that has ended stays active. */
  is_active: boolean;
  /** Whether it is the key of this call. */
  is_own: boolean;
  /** From when on it is refused; null: it does not end by itself. */
  expires_at: string | null;
  /** Up to ten minutes before the last use; null: never used. */
  last_used_at: string | null;
  created_at: string;
  /** The key itself. It is not shown again. */
  key: string;
};
export type UsageRecord = {
  id: number;
  /** The path with its parameters in braces; of a call of a tool, `mcp:` and its name. */
  endpoint: string;
  method: string;
  status_code: number;
  /** Milliseconds until the answer was made. */
  response_time_ms: number;
  /** An advisory firm. */
  client_id: number | null;
  created_at: string;
};
export type UsageSummary = {
  /** From this instant on, included; a day without a time begins there. */
  from: string;
  /** Up to this instant, included; a day without a time ends there. */
  to: string;
  total_calls: number;
  calls_by_endpoint: {
    /** The path with its parameters in braces; of a call of a tool, `mcp:` and its name. */
    endpoint: string;
    calls: number;
  }[];
  /** Milliseconds within which 95 of 100 calls were answered, 10 percent more or less; null without calls. */
  p95_response_time_ms: number | null;
};
export type Upload = {
  id: number;
  /** The advisory firm that the file is for. */
  client_id: number | null;
  kind: "offers_bulk_update" | "catalog_bulk_update" | "file";
  /** Only its last part, after any folder, is kept, with `(CUPS)` in place of the number of a supply point. */
  file_name: string;
  /** The size of the file; null while there is none, and for another key without `commissions:read`. */
  size_bytes: number | null;
  status: "pending" | "processing" | "completed" | "failed" | "cancelled";
  /** What it changed; null also for another key that may not read these offers. */
  result: (FileCounts & {
    /** The rows of both sheets of tiers; of an upload null without `commissions:read`. */
    tiers_replaced: number | null;
  }) | null;
  /** Why it changed nothing; for another key that may not read these offers without its errors. */
  error: {
    code: "invalid_request" | "unauthenticated" | "wrong_password" | "account_inactive" | "missing_scope" | "weight_needs_commissions" | "foreign_firm" | "bound_key" | "firm_inactive" | "not_catalog_editor" | "not_full_access" | "firm_limit_reached" | "quota_reached" | "storage_full" | "not_found" | "no_subscription" | "duplicate_name" | "duplicate_email" | "wrong_state" | "precondition_failed" | "unknown_cursor" | "idempotency_in_flight" | "idempotency_rights_changed" | "idempotency_mismatch" | "request_timeout" | "too_large" | "unsupported_media_type" | "method_not_allowed" | "business_rule" | "rate_limited" | "unavailable" | "internal_error";
    message: string;
    /** The first scope that the key lacks. */
    missing_scope?: "offers:read" | "offers:write" | "offers:export" | "commissions:read" | "indexed_prices:read" | "companies:read" | "companies:write" | "clients:read" | "clients:write" | "catalog:read" | "catalog:write" | "proposals:write" | "webhooks:write";
    errors?: RowError[];
    /** How many errors the rows have, those that are not listed included. */
    error_count?: number;
  } | null;
  created_at: string;
  updated_at: string;
  /** When it was completed, failed or cancelled. */
  finished_at: string | null;
};
export type Webhook = {
  id: number;
  /** Null unless for the key that registered it, or one with full access that is bound to no firm. */
  url: string | null;
  events: ("catalog.changed" | "upload.finished" | "usage.limit_near")[];
  /** An advisory firm. */
  client_id: number | null;
  /** From when on no events are sent; null while they are. */
  disabled_at: string | null;
  /** `failing`: the last retry failed, or too many events wait; `gone`: 410 was answered; `key`: its key may not call any more. */
  disabled_reason: ("failing" | "gone" | "key") | null;
  created_at: string;
};
export type WebhookWithSecret = {
  id: number;
  url: string;
  events: ("catalog.changed" | "upload.finished" | "usage.limit_near")[];
  /** An advisory firm. */
  client_id: number | null;
  /** From when on no events are sent; null while they are. */
  disabled_at: string | null;
  /** `failing`: the last retry failed, or too many events wait; `gone`: 410 was answered; `key`: its key may not call any more. */
  disabled_reason: ("failing" | "gone" | "key") | null;
  created_at: string;
  /** Signs the bodies: `whsec_` and Base64. It is not shown again. */
  secret: string;
};
export type PortfolioCustomer = Question & {
  /** Your name for the customer, which the answer repeats. Null if the name itself is wrong. */
  ref: string;
};
export type Refusal = {
  detail: {
    code: "invalid_request" | "unauthenticated" | "wrong_password" | "account_inactive" | "missing_scope" | "weight_needs_commissions" | "foreign_firm" | "bound_key" | "firm_inactive" | "not_catalog_editor" | "not_full_access" | "firm_limit_reached" | "quota_reached" | "storage_full" | "not_found" | "no_subscription" | "duplicate_name" | "duplicate_email" | "wrong_state" | "precondition_failed" | "unknown_cursor" | "idempotency_in_flight" | "idempotency_rights_changed" | "idempotency_mismatch" | "request_timeout" | "too_large" | "unsupported_media_type" | "method_not_allowed" | "business_rule" | "rate_limited" | "unavailable" | "internal_error";
    message: string;
    /** The first scope that the key lacks. */
    missing_scope?: "offers:read" | "offers:write" | "offers:export" | "commissions:read" | "indexed_prices:read" | "companies:read" | "companies:write" | "clients:read" | "clients:write" | "catalog:read" | "catalog:write" | "proposals:write" | "webhooks:write";
    errors?: ({
      path: string;
      error: string;
      offer_id?: number;
    } | RowError)[];
    /** How many errors the rows have, those that are not listed included. */
    error_count?: number;
    alternativas?: {
      concepto: string;
      aplica: string;
      valores: {
        /** %, or EUR/MWh, EUR/kWh, EUR a month or a year. */
        valor: number;
        condicion: string;
      }[];
    }[];
    /** Each `impuestos.tipos` that may be sent; absent where a value is not known. */
    opciones?: {
      /** A complete `impuestos.tipos`. */
      tipos: { [key: string]: number };
      /** When these are the rates of the law. */
      condicion: string;
    }[];
  };
};
export type Operations = {
  /** List what changed since a cursor */
  listChanges: Reducible<ForFirm & {
    since?: string;
    /** Results at most. Default: `50`. */
    limit?: number;
  }, Changes>;
  /** List own offers */
  listOffers: Reducible<OfferQuery & {
    /** `LUZ` is electricity, `GAS` is gas. Default: `LUZ`. */
    supply_type?: "LUZ" | "GAS";
    /** Results at most. Default: `50`. */
    limit?: number;
    /** Results to skip. Default: `0`. */
    offset?: number;
    /** Only what comes after the record with this id: no page repeats or skips one while others are added. */
    after_id?: number;
    /** The order; left out: by id. A minus reverses it. `company_name`: then by `offer_name`. */
    sort?: "company_name" | "-company_name" | "offer_name" | "-offer_name" | "updated_at" | "-updated_at";
    /** With `sort`: the `next` of the page before, for the same question. */
    after?: string;
  }, Page & {
    results: Offer[];
    /** How many more offers would be here if they said the permanence, fixed price or green energy that is asked for. */
    terminos_desconocidos?: number;
    /** With `sort`, unless it is the last page: where the next one begins, for `after`. */
    next?: string;
  }>;
  /** Create an offer */
  createOffer: Operation<ForFirm & { body: NewOffer }, Offer>;
  /** Rank offers for one customer */
  rankOffers: Reducible<ForFirm & { body: RankingQuestion }, Ranking>;
  /** Rank offers for many customers */
  rankPortfolio: Reducible<ForFirm & {
    body: {
      /** The instant, in UTC, as of which offers and months are ranked: `YYYY-MM-DDTHH:mm:ssZ`, or a day, which is its last millisecond. Left out: now. */
      as_of?: string;
      /** At most 1000, each a question of its own. */
      customers: PortfolioCustomer[];
      /** How many of the best offers each customer gets. Default: `3`. */
      top?: number;
    };
  }, Portfolio>;
  /** Say what an offer has to come down to win customers */
  negotiateOffer: Reducible<ForFirm & {
    body: {
      /** The offer to negotiate. */
      offer_id: number;
      /** At most 1000, each a question of its own. */
      customers: PortfolioCustomer[];
    };
  }, Negotiation>;
  /** Order offers by expected commission */
  recommendOffers: Reducible<OfferFilter & {
    /** Annual consumption in MWh. */
    consumption_mwh: number;
    /** Contracted power in kW. */
    power_kw?: number;
    /** `LUZ` is electricity, `GAS` is gas. Default: `LUZ`. */
    supply_type?: "LUZ" | "GAS";
    /** Results at most. Default: `50`. */
    limit?: number;
    /** Results to skip. Default: `0`. */
    offset?: number;
  }, Page & {
    results: Recommendation[];
    /** Warnings about the answer, in a fixed order: show them before the rest. */
    avisos: Warning[];
  }>;
  /** Read 2 to 10 offers side by side */
  compareOffers: Reducible<ForFirm & {
    /** The offers to compare, each once. */
    ids: number[];
  }, {
    /** How many there are in all. */
    total: number;
    results: OfferDetail[];
  }>;
  /** Count own records */
  getStats: Reducible<ForFirm, Stats>;
  /** Export own offers as CSV */
  exportOffers: Operation<OfferQuery & {
    /** `LUZ` is electricity, `GAS` is gas. */
    supply_type?: "LUZ" | "GAS";
    /** The text between two cells. `;` also writes decimal commas, for a spreadsheet in Spanish. Default: `,`. */
    separator?: "," | ";";
  }, string>;
  /** Make the same changes to several offers */
  bulkPatchOffers: Operation<ForFirm & {
    body: {
      /** The offers that are changed. */
      offer_ids: number[];
      updates: OfferUpdates;
    };
  }, {
    updated: number;
    /** The offers that are changed. */
    offer_ids: number[];
  }>;
  /** Create, replace and deactivate own offers with a workbook */
  bulkUpdateOffers: Operation<SentWorkbook, BulkReport>;
  /** A workbook with the own offers that are not indexed */
  bulkTemplateOffers: Operation<TemplateQuery, Uint8Array<ArrayBuffer>>;
  /** A workbook with the own offers that are indexed, and their monthly prices */
  bulkTemplateIndexedOffers: Operation<TemplateQuery, Uint8Array<ArrayBuffer>>;
  /** Read one offer */
  getOffer: Reducible<RecordChoice, OfferDetail>;
  /** Change some fields of an offer */
  updateOffer: Operation<RecordChoice & { body: OfferChanges }, Offer>;
  /** Deactivate an offer */
  deleteOffer: Operation<RecordChoice, Offer>;
  /** Activate or deactivate an offer */
  toggleOffer: Operation<RecordChoice, Offer>;
  /** List what was done to an offer */
  getOfferHistory: Reducible<PageQuery & { id: number }, PageOf<OfferEvent>>;
  /** Calculate the commission of one offer */
  calculateCommission: Reducible<RecordChoice & {
    /** Annual consumption in MWh. */
    consumption_mwh: number;
    /** Contracted power in kW. */
    power_kw?: number;
  }, CommissionCalculation>;
  /** List the monthly prices of an offer */
  listIndexedPrices: Reducible<PageQuery & { id: number }, PageOf<MonthlyPrices>>;
  /** Create or replace the prices of one month */
  upsertIndexedPrice: Operation<RecordChoice & { body: NewMonth }, MonthlyPrices>;
  /** Read the prices of one month */
  getIndexedPrice: Reducible<MonthChoice, MonthlyPrices>;
  /** Delete the prices of one month */
  deleteIndexedPrice: Operation<MonthChoice, undefined>;
  /** List proposals */
  listProposals: Reducible<IdPageQuery, PageOf<ProposalEntry>>;
  /** Make a proposal */
  createProposal: Operation<ForFirm & { body: NewProposal }, ProposalEntry>;
  /** Print a proposal */
  getProposalPage: Operation<RecordChoice & {
    /** @default false */
    comisiones?: boolean;
  }, string>;
  /** Read a proposal */
  getProposal: Reducible<RecordChoice, Proposal>;
  /** Delete a proposal */
  deleteProposal: Operation<RecordChoice, undefined>;
  /** Verify a proposal */
  verifyProposal: Reducible<RecordChoice, Verification>;
  /** Read the QR code of an invoice */
  readInvoice: Operation<ForFirm & {
    body: {
      /** The address in the code, at most 2048 characters. Its `cups` may be cut off; it is neither answered nor kept. */
      url: string;
    };
  }, InvoiceReading>;
  /** Read the curve of a meter by period and month */
  readConsumption: Operation<ForFirm & {
    /** The access tariff, such as `2.0TD` or `RL.1`. */
    tariff_type: "2.0TD" | "3.0TD" | "3.0TDVE" | "6.1TD" | "6.1TDVE" | "6.2TD" | "6.3TD" | "6.4TD";
    /** Where the supply is. */
    territory: "peninsula" | "canarias" | "baleares" | "ceuta_melilla";
    /** Needed for six periods in `ceuta_melilla`: `ceuta` or `melilla`. */
    community?: "andalucia" | "aragon" | "asturias" | "baleares" | "canarias" | "cantabria" | "castilla_la_mancha" | "castilla_y_leon" | "cataluna" | "ceuta" | "comunidad_valenciana" | "extremadura" | "galicia" | "la_rioja" | "madrid" | "melilla" | "murcia" | "navarra" | "pais_vasco";
    body: {
      /** The file as a text, at most 100 000 characters. Leave the column with the CUPS out, or as it is: it is neither answered nor kept. */
      csv: string;
    } | {
      /** The CSV of a meter, of at most 10 MB. */
      file: Blob;
    } | Blob;
  }, Curve>;
  /** Find the right contracted power */
  optimizePower: Operation<ForFirm & {
    body: {
      /** `2.0TD`, `3.0TD` or `6.1TD`. */
      tariff_type: string;
      /** Power contracted today, in every period of the tariff. */
      potencia: {
        /** Contracted power in P1, kW. */
        p1?: number;
        /** Contracted power in P2, kW. */
        p2?: number;
        /** Contracted power in P3, kW. */
        p3?: number;
        /** Contracted power in P4, kW. */
        p4?: number;
        /** Contracted power in P5, kW. */
        p5?: number;
        /** Contracted power in P6, kW. */
        p6?: number;
      };
      /** The type of the meter; left out: that of the highest power of today. */
      tipo_medida?: 1 | 2 | 3 | 4 | 5;
      /** The day whose regulated prices apply. */
      fecha: string;
      /** Prices in place of the regulated ones: one in every period. */
      precios?: {
        /** Price of power in P1, EUR/kW and day. */
        p1?: number;
        /** Price of power in P2, EUR/kW and day. */
        p2?: number;
        /** Price of power in P3, EUR/kW and day. */
        p3?: number;
        /** Price of power in P4, EUR/kW and day. */
        p4?: number;
        /** Price of power in P5, EUR/kW and day. */
        p5?: number;
        /** Price of power in P6, EUR/kW and day. */
        p6?: number;
      };
      /** An offer whose prices of power apply, in place of `precios`. */
      offer_id?: number;
      /** The least power to advise. */
      minimo?: {
        /** Least power in P1, kW. */
        p1?: number;
        /** Least power in P2, kW. */
        p2?: number;
        /** Least power in P3, kW. */
        p3?: number;
        /** Least power in P4, kW. */
        p4?: number;
        /** Least power in P5, kW. */
        p5?: number;
        /** Least power in P6, kW. */
        p6?: number;
      };
      /** kW added to every maximum; 0 when left out. */
      margen_kw?: number;
      /** The rights of extension, kW: no more is advised. */
      derechos_kw?: number;
      /** Where the supply is. */
      territory?: "peninsula" | "canarias" | "baleares" | "ceuta_melilla";
      /** Says where the supply is in place of territory, and tells Ceuta from Melilla. */
      community?: "andalucia" | "aragon" | "asturias" | "baleares" | "canarias" | "cantabria" | "castilla_la_mancha" | "castilla_y_leon" | "cataluna" | "ceuta" | "comunidad_valenciana" | "extremadura" | "galicia" | "la_rioja" | "madrid" | "melilla" | "murcia" | "navarra" | "pais_vasco";
      /** Maxima by month, as bills print them: 1 to 36. */
      periodos: {
        /** The month, 1 to 12; left out for a part of one. */
        mes?: number;
        /** Days of the entry; of a month all of them. */
        dias: number;
        /** Highest power: in every period that the month has. */
        maximos: {
          /** Highest power in P1, kW. */
          p1?: number;
          /** Highest power in P2, kW. */
          p2?: number;
          /** Highest power in P3, kW. */
          p3?: number;
          /** Highest power in P4, kW. */
          p4?: number;
          /** Highest power in P5, kW. */
          p5?: number;
          /** Highest power in P6, kW. */
          p6?: number;
        };
      }[];
    } | {
      /** The question as JSON, without `periodos`. */
      question: string;
      /** The CSV of a meter, of at most 10 MB. */
      file: Blob;
    };
  }, PowerAdvice>;
  /** List the regulated prices of power on a day */
  listRegulatedPrices: Reducible<ForFirm & {
    /** The day of the prices. */
    fecha: string;
    /** `2.0TD`, `3.0TD` or `6.1TD`. */
    tariff_type?: string;
  }, RegulatedPrices>;
  /** List the rates of taxes */
  listTaxes: Reducible<ForFirm & {
    /** The day; left out: today, in UTC. */
    fecha?: string;
    /** Where the supply is. */
    territory?: "peninsula" | "canarias" | "baleares" | "ceuta_melilla";
    /** `LUZ` is electricity, `GAS` is gas. */
    supply_type?: "LUZ" | "GAS";
  }, Taxes>;
  /** Say who compares what, and how */
  describeComparison: Reducible<ForFirm, About>;
  /** List advisory firms */
  listClients: Reducible<ListQuery, PageOf<Client>>;
  /** Create an advisory firm */
  createClient: Operation<ForFirm & {
    body: {
      /** 1 to 200 characters. */
      name: string;
      /** A picture of the firm, https. Default: `null`. */
      image_url?: string | null;
      /** The picture that proposals of the firm show: a data: URI of a PNG, JPEG or WebP in base64, at most 65536 bytes of picture. Default: `null`. */
      logo?: string | null;
      /** Whether the firm subscribes to the whole shared catalog or to nothing of it. Default: `all`. */
      catalog?: "all" | "none";
    };
  }, ClientDetail>;
  /** Read one advisory firm */
  getClient: Reducible<RecordChoice, ClientDetail>;
  /** Change an advisory firm */
  updateClient: Operation<RecordChoice & {
    body: {
      /** 1 to 200 characters. */
      name?: string;
      /** A picture of the firm, https. */
      image_url?: string | null;
      /** The picture that proposals of the firm show: a data: URI of a PNG, JPEG or WebP in base64, at most 65536 bytes of picture. */
      logo?: string | null;
    };
  }, ClientDetail>;
  /** Deactivate an advisory firm */
  deleteClient: Operation<RecordChoice, ClientDetail>;
  /** Activate or deactivate an advisory firm */
  toggleClient: Operation<RecordChoice, ClientDetail>;
  /** List own energy retailers */
  listCompanies: Reducible<ListQuery, PageOf<Company>>;
  /** Create an energy retailer */
  createCompany: Operation<ForFirm & {
    body: NewCatalogCompany & {
      /** An advisory firm. */
      client_id: number;
    };
  }, Company>;
  /** Read one energy retailer */
  getCompany: Reducible<RecordChoice, Company>;
  /** Change an energy retailer */
  updateCompany: Operation<RecordChoice & { body: CompanyChanges }, Company>;
  /** Deactivate an energy retailer */
  deleteCompany: Operation<RecordChoice, Company>;
  /** Activate or deactivate an energy retailer */
  toggleCompany: Operation<RecordChoice, Company>;
  /** List what of the catalog an advisory firm subscribes to */
  listCatalogSubscriptions: Reducible<ListQuery & { id: number }, PageOf<CatalogSubscription>>;
  /** Subscribe an advisory firm to a retailer of the catalog */
  subscribeToCatalogCompany: Operation<CatalogCompanyChoice, CatalogSubscription>;
  /** End the subscription of an advisory firm to a retailer of the catalog */
  unsubscribeFromCatalogCompany: Operation<CatalogCompanyChoice, CatalogSubscription>;
  /** List the retailers of the catalog */
  listCatalogCompanies: Reducible<ListQuery, PageOf<Company>>;
  /** Create a retailer of the catalog */
  createCatalogCompany: Operation<ForFirm & { body: NewCatalogCompany }, Company>;
  /** Read one retailer of the catalog */
  getCatalogCompany: Reducible<RecordChoice, Company>;
  /** Change a retailer of the catalog */
  updateCatalogCompany: Operation<RecordChoice & { body: CompanyChanges }, Company>;
  /** Deactivate a retailer of the catalog */
  deleteCatalogCompany: Operation<RecordChoice, Company>;
  /** Activate or deactivate a retailer of the catalog */
  toggleCatalogCompany: Operation<RecordChoice, Company>;
  /** List the offers of the catalog */
  listCatalogOffers: Reducible<ListQuery & {
    /** An energy retailer. */
    company_id?: number;
    /** `LUZ` is electricity, `GAS` is gas. */
    supply_type?: "LUZ" | "GAS";
    /** Who signs: an individual (`dni`), a company (`cif`) or an owners' community (`cdad`). */
    client_type?: "dni" | "cif" | "cdad";
    /** The retailer's name; in questions a part, any case. */
    company_name?: string;
    /** Months of permanence at most. */
    permanencia_max?: number;
    /** Months with fixed prices at least. */
    precio_fijo_min?: number;
    /** Whether its energy is certified as renewable. */
    energia_verde?: boolean;
    /** Words of the name of the offer or its retailer, without regard to case and accents. */
    q?: string;
    /** The order; left out: by id. A minus reverses it. `company_name`: then by `offer_name`. */
    sort?: "company_name" | "-company_name" | "offer_name" | "-offer_name" | "updated_at" | "-updated_at";
    /** With `sort`: the `next` of the page before, for the same question. */
    after?: string;
  }, Page & {
    results: Offer[];
    /** How many more offers would be here if they said the permanence, fixed price or green energy that is asked for. */
    terminos_desconocidos?: number;
    /** With `sort`, unless it is the last page: where the next one begins, for `after`. */
    next?: string;
  }>;
  /** Create an offer of the catalog */
  createCatalogOffer: Operation<ForFirm & { body: NewOffer }, Offer>;
  /** Create, replace and deactivate offers of the catalog with a workbook */
  bulkUpdateCatalogOffers: Operation<SentWorkbook, BulkReport>;
  /** A workbook with the offers of the catalog that are not indexed */
  bulkTemplateCatalogOffers: Operation<TemplateQuery, Uint8Array<ArrayBuffer>>;
  /** A workbook with the offers of the catalog that are indexed, and their monthly prices */
  bulkTemplateIndexedCatalogOffers: Operation<TemplateQuery, Uint8Array<ArrayBuffer>>;
  /** Read one offer of the catalog */
  getCatalogOffer: Reducible<RecordChoice, OfferDetail>;
  /** Change some fields of an offer of the catalog */
  updateCatalogOffer: Operation<RecordChoice & { body: OfferChanges }, Offer>;
  /** Deactivate an offer of the catalog */
  deleteCatalogOffer: Operation<RecordChoice, Offer>;
  /** Activate or deactivate an offer of the catalog */
  toggleCatalogOffer: Operation<RecordChoice, Offer>;
  /** List the monthly prices of an offer of the catalog */
  listCatalogIndexedPrices: Reducible<PageQuery & { id: number }, PageOf<MonthlyPrices>>;
  /** Create or replace the prices of one month of an offer of the catalog */
  upsertCatalogIndexedPrice: Operation<RecordChoice & { body: NewMonth }, MonthlyPrices>;
  /** Read the prices of one month of an offer of the catalog */
  getCatalogIndexedPrice: Reducible<MonthChoice, MonthlyPrices>;
  /** Delete the prices of one month of an offer of the catalog */
  deleteCatalogIndexedPrice: Operation<MonthChoice, undefined>;
  /** Read the account */
  getAccount: Reducible<ForFirm, Account>;
  /** Change the name or the e-mail address of the account */
  updateAccount: Operation<ForFirm & {
    body: {
      /** 1 to 200 characters. */
      name?: string;
      email?: string;
      /** The password of the account as it is now. */
      current_password?: string;
    };
  }, Account>;
  /** Change the password */
  changePassword: Operation<ForFirm & {
    body: {
      /** The password of the account as it is now. */
      current_password: string;
      /** 8 to 128 characters. */
      new_password: string;
    };
  }, undefined>;
  /** Read the active subscription */
  getSubscription: Reducible<ForFirm, Subscription>;
  /** List API keys */
  listKeys: Reducible<ListQuery, PageOf<ApiKey>>;
  /** Make an API key */
  createKey: Operation<ForFirm & {
    body: {
      /** Default: `null`. */
      name?: string | null;
      /** Everything that the account may do; else scopes is needed. Default: `false`. */
      full_access?: boolean;
      /** Default: ``. */
      scopes?: ("offers:read" | "offers:write" | "offers:export" | "commissions:read" | "indexed_prices:read" | "companies:read" | "companies:write" | "clients:read" | "clients:write" | "catalog:read" | "catalog:write" | "proposals:write" | "webhooks:write")[];
      /** From when on the key is refused; a day means its beginning, in UTC. null: it does not end. */
      expires_at?: string | null;
    };
  }, ApiKeyWithSecret>;
  /** Read an API key */
  getKey: Reducible<RecordChoice, ApiKey>;
  /** Revoke an API key */
  revokeKey: Operation<RecordChoice, ApiKey>;
  /** List recorded calls */
  listUsage: Reducible<UsageQuery & {
    /** `asc`: by id; `desc`: the newest first. Default: `asc`. */
    order?: "asc" | "desc";
    /** Results at most. Default: `50`. */
    limit?: number;
    /** Results to skip. Default: `0`. */
    offset?: number;
  }, PageOf<UsageRecord>>;
  /** Summarize recorded calls */
  getUsageSummary: Reducible<UsageQuery, UsageSummary>;
  /** List uploads */
  listUploads: Reducible<IdPageQuery & { status?: "pending" | "processing" | "completed" | "failed" | "cancelled" }, PageOf<Upload>>;
  /** Register an upload, or queue a file */
  createUpload: Operation<ForFirm & {
    body: (ForFirm & {
      /** Only its last part, after any folder, is kept, with `(CUPS)` in place of the number of a supply point. */
      file_name: string;
      /** Default: `file`. */
      kind?: "offers_bulk_update" | "catalog_bulk_update" | "file";
    }) | (ForFirm & {
      /** Default: `offers_bulk_update`. */
      kind?: "offers_bulk_update" | "catalog_bulk_update";
      /** An XLSX workbook of at most 10 MB. */
      file: Blob;
    });
  }, Upload>;
  /** Read one upload */
  getUpload: Reducible<RecordChoice, Upload>;
  /** Retry a failed upload */
  retryUpload: Operation<RecordChoice, Upload>;
  /** Cancel a pending upload */
  cancelUpload: Operation<RecordChoice, Upload>;
  /** Apply a file that was checked */
  applyUpload: Operation<RecordChoice, BulkReport>;
  /** List webhooks */
  listWebhooks: Reducible<IdPageQuery, PageOf<Webhook>>;
  /** Register a webhook */
  createWebhook: Operation<ForFirm & {
    body: {
      /** https, with a host name, without user info and fragment. */
      url: string;
      /** Default: `catalog.changed,upload.finished,usage.limit_near`. */
      events?: ("catalog.changed" | "upload.finished" | "usage.limit_near")[];
    };
  }, WebhookWithSecret>;
  /** Read a webhook */
  getWebhook: Reducible<RecordChoice, Webhook>;
  /** Delete a webhook */
  deleteWebhook: Operation<RecordChoice, undefined>;
  /** Give a webhook a new secret */
  rotateWebhookSecret: Operation<RecordChoice, WebhookWithSecret>;
};
export type ForFirm = {
  /** An advisory firm. */
  client_id?: number;
};
export type RecordChoice = ForFirm & { id: number };
export type MonthChoice = RecordChoice & {
  /** A month, `YYYY-MM` or any day of it. */
  month: string;
};
export type CatalogCompanyChoice = RecordChoice & {
  /** An energy retailer. */
  company_id: number;
};
export type PageQuery = ForFirm & {
  /** Results at most. Default: `50`. */
  limit?: number;
  /** Results to skip. Default: `0`. */
  offset?: number;
};
export type IdPageQuery = PageQuery & {
  /** Only what comes after the record with this id: no page repeats or skips one while others are added. */
  after_id?: number;
};
export type ListQuery = IdPageQuery & {
  /** Deactivated records too. Default: `false`. */
  include_inactive?: boolean;
};
export type OfferFilter = ForFirm & {
  /** The access tariff, such as `2.0TD` or `RL.1`. */
  tariff_type?: string;
  /** Where the supply is. */
  territory?: "peninsula" | "canarias" | "baleares" | "ceuta_melilla";
  /** An autonomous community; offers without restriction match too. */
  community?: "andalucia" | "aragon" | "asturias" | "baleares" | "canarias" | "cantabria" | "castilla_la_mancha" | "castilla_y_leon" | "cataluna" | "ceuta" | "comunidad_valenciana" | "extremadura" | "galicia" | "la_rioja" | "madrid" | "melilla" | "murcia" | "navarra" | "pais_vasco";
  /** Who signs: an individual (`dni`), a company (`cif`) or an owners' community (`cdad`). */
  client_type?: "dni" | "cif" | "cdad";
  /** Months of permanence at most. */
  permanencia_max?: number;
  /** Months with fixed prices at least. */
  precio_fijo_min?: number;
  /** Whether its energy is certified as renewable. */
  energia_verde?: boolean;
};
export type OfferQuery = OfferFilter & {
  /** An energy retailer. */
  company_id?: number;
  /** The retailer's name; in questions a part, any case. */
  company_name?: string;
  /** For customers with solar panels. */
  placas_solares?: boolean;
  /** Words of the name of the offer or its retailer, without regard to case and accents. */
  q?: string;
  /** Deactivated records too. Default: `false`. */
  include_inactive?: boolean;
};
export type UsageQuery = ForFirm & {
  /** The path with its parameters in braces; of a call of a tool, `mcp:` and its name. */
  endpoint?: string;
  status_code?: number;
  /** From this instant on, included; a day without a time begins there. */
  from?: string;
  /** Up to this instant, included; a day without a time ends there. */
  to?: string;
};
export type NewCatalogCompany = {
  /** 1 to 200 characters. */
  name: string;
  /** A picture of the retailer, https. Default: `null`. */
  logo_url?: string | null;
};
export type CompanyChanges = {
  /** 1 to 200 characters. */
  name?: string;
  /** A picture of the retailer, https. */
  logo_url?: string | null;
};
export type TemplateQuery = ForFirm & {
  /** `LUZ` is electricity, `GAS` is gas. */
  supply_type?: "LUZ" | "GAS";
  /** Deactivated records too. Default: `false`. */
  include_inactive?: boolean;
};
export type SentWorkbook = ForFirm & {
  /** Nothing is changed, and the answer says what would be. Default: `false`. */
  dry_run?: boolean;
  /** With dry_run: the file is kept for a day as a pending upload, which `/v1/uploads/{id}/apply` applies. Default: `false`. */
  keep?: boolean;
  /** @default false */
  force?: boolean;
  body: {
    /** An XLSX workbook of at most 10 MB. */
    file: Blob;
  };
};
export type Page = {
  /** How many there are in all. */
  total: number;
  /** Results at most. */
  limit: number;
  /** Results to skip. */
  offset: number;
};
export type OfferCompany = {
  id: number;
  name: string;
  /** A picture of the retailer, https. */
  logo_url: string | null;
  /** The advisory firm of the company; null for a company of the catalog. */
  client: {
    id: number;
    name: string;
    /** A picture of the firm, https. */
    image_url: string | null;
  } | null;
};
export type ConsumptionTier = {
  /** MWh per year, included. */
  consumption_from: number;
  /** MWh per year, included; null is open. */
  consumption_to: number | null;
  /** What the offer pays by itself or, in a tier, for a quantity in it: EUR per contract-year (`fixed`), EUR/MWh (`per_mwh`) or EUR/kW (`per_kw`). Null without `commissions:read`. */
  commission: number;
  /** `fixed` or `per_mwh`; in a power tier `fixed` or `per_kw`. */
  commission_type: "fixed" | "per_mwh";
};
export type PowerTier = {
  /** kW, included. */
  power_from: number;
  /** kW, included; null is open. */
  power_to: number | null;
  /** What the offer pays by itself or, in a tier, for a quantity in it: EUR per contract-year (`fixed`), EUR/MWh (`per_mwh`) or EUR/kW (`per_kw`). Null without `commissions:read`. */
  commission: number;
  /** `fixed` or `per_mwh`; in a power tier `fixed` or `per_kw`. */
  commission_type: "fixed" | "per_kw";
};
export type ElectricityPrices = {
  /** Price of energy in P1, EUR/kWh. */
  e1: number | null;
  /** Price of energy in P2, EUR/kWh. */
  e2: number | null;
  /** Price of energy in P3, EUR/kWh. */
  e3: number | null;
  /** Price of energy in P4, EUR/kWh. */
  e4: number | null;
  /** Price of energy in P5, EUR/kWh. */
  e5: number | null;
  /** Price of energy in P6, EUR/kWh. */
  e6: number | null;
  /** Price of power in P1, EUR/kW and day. */
  p1: number | null;
  /** Price of power in P2, EUR/kW and day. */
  p2: number | null;
  /** Price of power in P3, EUR/kW and day. */
  p3: number | null;
  /** Price of power in P4, EUR/kW and day. */
  p4: number | null;
  /** Price of power in P5, EUR/kW and day. */
  p5: number | null;
  /** Price of power in P6, EUR/kW and day. */
  p6: number | null;
};
export type GasPrices = {
  /** Price of gas, EUR/kWh. */
  gas_energy: number | null;
  /** Fixed term of gas, EUR/month. */
  gas_fixed: number | null;
};
export type OfferFields = {
  id: number;
  offer_name: string;
  /** The access tariff, such as `2.0TD` or `RL.1`. */
  tariff_type: string;
  /** Whether its prices come from the monthly history. */
  is_indexed: boolean;
  /** Whether it belongs to the shared catalog. */
  is_catalog: boolean;
  company: OfferCompany;
  /** Extra services, EUR/month; null counts as 0. */
  services_cost: number | null;
  /** What the offer pays by itself or, in a tier, for a quantity in it: EUR per contract-year (`fixed`), EUR/MWh (`per_mwh`) or EUR/kW (`per_kw`). Null without `commissions:read`. */
  commission: number | null;
  /** `fixed` or `per_mwh`; in a power tier `fixed` or `per_kw`. */
  commission_type: ("fixed" | "per_mwh") | null;
  /** Commission by annual consumption, at most 50 tiers. */
  commission_tiers: ConsumptionTier[] | null;
  /** Individuals may sign. */
  acepta_dni: boolean;
  /** Companies may sign. */
  acepta_cif: boolean;
  /** Owners' communities may sign. */
  acepta_cdad_propietarios: boolean;
  /** Sold on the mainland. */
  territory_peninsula: boolean;
  /** Sold on the Canary Islands. */
  territory_canarias: boolean;
  /** Sold on the Balearic Islands. */
  territory_baleares: boolean;
  /** Sold in Ceuta and Melilla. */
  territory_ceuta_melilla: boolean;
  /** The autonomous communities that the offer is restricted to; none is no restriction. */
  communities: ("andalucia" | "aragon" | "asturias" | "baleares" | "canarias" | "cantabria" | "castilla_la_mancha" | "castilla_y_leon" | "cataluna" | "ceuta" | "comunidad_valenciana" | "extremadura" | "galicia" | "la_rioja" | "madrid" | "melilla" | "murcia" | "navarra" | "pais_vasco")[];
  is_active: boolean;
  created_at: string;
  updated_at: string;
  /** For an annual consumption from here on, kWh; others are excluded. */
  consumo_min_kwh: number | null;
  /** For an annual consumption up to here, kWh; others are excluded. */
  consumo_max_kwh: number | null;
  /** The first day on which it can be signed; `fecha_firma` before it is excluded. */
  vigente_desde: string | null;
  /** The last day on which it can be signed; `fecha_firma` after it is excluded. */
  vigente_hasta: string | null;
  /** Permanence, months; 0 is none, null is not known. */
  permanencia_meses: number | null;
  /** For leaving before the permanence ends, EUR. */
  penalizacion_eur: number | null;
  /** For leaving before the permanence ends, percent of the energy that is left by estimate. */
  penalizacion_pct: number | null;
  /** For how many months its prices are fixed. */
  precio_fijo_meses: number | null;
  /** Off its price of energy in the first `descuento_meses`, percent. */
  descuento_energia_pct: number | null;
  /** For how many months it has its discounts. */
  descuento_meses: number | null;
  /** Whether its energy is certified as renewable. */
  energia_verde: boolean | null;
  /** Whether a change of regulated tolls changes its prices. */
  peajes_revisables: boolean | null;
  /** What else the customer must do or have; told, never priced. */
  requisitos: string | null;
};
export type RankedOfferFields = {
  id: number;
  offer_name: string;
  /** The access tariff, such as `2.0TD` or `RL.1`. */
  tariff_type: string;
  /** Whether it belongs to the shared catalog. */
  is_catalog: boolean;
  company: {
    id: number;
    name: string;
    /** A picture of the retailer, https. */
    logo_url: string | null;
  };
  /** Extra services, EUR/month; null counts as 0. */
  services_cost: number | null;
  updated_at: string;
};
export type NewConsumptionTier = {
  /** MWh per year, included. */
  consumption_from: number;
  /** MWh per year, included; null is open. Default: `null`. */
  consumption_to?: number | null;
  /** What the offer pays by itself or, in a tier, for a quantity in it: EUR per contract-year (`fixed`), EUR/MWh (`per_mwh`) or EUR/kW (`per_kw`). Null without `commissions:read`. */
  commission: number;
  /** `fixed` or `per_mwh`; in a power tier `fixed` or `per_kw`. Default: `fixed`. */
  commission_type?: string;
};
export type NewPowerTier = {
  /** kW, included. */
  power_from: number;
  /** kW, included; null is open. Default: `null`. */
  power_to?: number | null;
  /** What the offer pays by itself or, in a tier, for a quantity in it: EUR per contract-year (`fixed`), EUR/MWh (`per_mwh`) or EUR/kW (`per_kw`). Null without `commissions:read`. */
  commission: number;
  /** `fixed` or `per_mwh`; in a power tier `fixed` or `per_kw`. Default: `fixed`. */
  commission_type?: string;
};
export type NewPrices = {
  /** Price of power in P1, EUR/kW and day. From 0 to 1. */
  p1?: number | null;
  /** Price of power in P2, EUR/kW and day. From 0 to 1. */
  p2?: number | null;
  /** Price of power in P3, EUR/kW and day. From 0 to 1. */
  p3?: number | null;
  /** Price of power in P4, EUR/kW and day. From 0 to 1. */
  p4?: number | null;
  /** Price of power in P5, EUR/kW and day. From 0 to 1. */
  p5?: number | null;
  /** Price of power in P6, EUR/kW and day. From 0 to 1. */
  p6?: number | null;
  /** Fixed term of gas, EUR/month. From 0 to 100000. */
  gas_fixed?: number | null;
};
export type NewOfferFields = NewPrices & {
  /** Price of energy in P1, EUR/kWh. From 0 to 10. */
  e1?: number | null;
  /** Price of energy in P2, EUR/kWh. From 0 to 10. */
  e2?: number | null;
  /** Price of energy in P3, EUR/kWh. From 0 to 10. */
  e3?: number | null;
  /** Price of energy in P4, EUR/kWh. From 0 to 10. */
  e4?: number | null;
  /** Price of energy in P5, EUR/kWh. From 0 to 10. */
  e5?: number | null;
  /** Price of energy in P6, EUR/kWh. From 0 to 10. */
  e6?: number | null;
  /** Price of gas, EUR/kWh. From 0 to 10. */
  gas_energy?: number | null;
  /** Whether its prices come from the monthly history. */
  is_indexed?: boolean;
  /** Extra services, EUR/month; null counts as 0. From 0 to 100000. */
  services_cost?: number | null;
  /** What the offer pays by itself or, in a tier, for a quantity in it: EUR per contract-year (`fixed`), EUR/MWh (`per_mwh`) or EUR/kW (`per_kw`). Null without `commissions:read`. From 0 to 1000000. */
  commission?: number;
  /** `fixed` or `per_mwh`; in a power tier `fixed` or `per_kw`. */
  commission_type?: string;
  /** Commission by annual consumption, at most 50 tiers. */
  commission_tiers?: NewConsumptionTier[];
  /** Commission by contracted power, at most 50 tiers; electricity only. */
  commission_power_tiers?: NewPowerTier[] | null;
  /** Kept and returned, EUR/MWh; enters no calculation. From 0 to 100000. */
  fee_power?: number | null;
  /** For customers with solar panels. */
  placas_solares?: boolean | null;
  /** What exported energy is worth, EUR/kWh; only on an offer for solar panels. From 0 to 10. */
  precio_excedentes?: number | null;
  /** Whether balancing services are inside the price (true) or billed apart (false). */
  ssaa_included?: boolean | null;
  /** Individuals may sign. */
  acepta_dni?: boolean;
  /** Companies may sign. */
  acepta_cif?: boolean;
  /** Owners' communities may sign. */
  acepta_cdad_propietarios?: boolean;
  /** Sold on the mainland. */
  territory_peninsula?: boolean;
  /** Sold on the Canary Islands. */
  territory_canarias?: boolean;
  /** Sold on the Balearic Islands. */
  territory_baleares?: boolean;
  /** Sold in Ceuta and Melilla. */
  territory_ceuta_melilla?: boolean;
  /** The autonomous communities that the offer is restricted to; none is no restriction. */
  communities?: ("andalucia" | "aragon" | "asturias" | "baleares" | "canarias" | "cantabria" | "castilla_la_mancha" | "castilla_y_leon" | "cataluna" | "ceuta" | "comunidad_valenciana" | "extremadura" | "galicia" | "la_rioja" | "madrid" | "melilla" | "murcia" | "navarra" | "pais_vasco")[];
  is_active?: boolean;
  /** For a highest contracted power from here on, kW; others are excluded. From 0 to 1000000. */
  potencia_min_kw?: number | null;
  /** For contracted powers up to here, kW; others are excluded. From 0 to 1000000. */
  potencia_max_kw?: number | null;
  /** For an annual consumption from here on, kWh; others are excluded. From 0 to 1000000000. */
  consumo_min_kwh?: number | null;
  /** For an annual consumption up to here, kWh; others are excluded. From 0 to 1000000000. */
  consumo_max_kwh?: number | null;
  /** The first day on which it can be signed; `fecha_firma` before it is excluded. */
  vigente_desde?: string | null;
  /** The last day on which it can be signed; `fecha_firma` after it is excluded. */
  vigente_hasta?: string | null;
  /** Permanence, months; 0 is none, null is not known. From 0 to 60. */
  permanencia_meses?: number | null;
  /** For leaving before the permanence ends, EUR. From 0 to 100000. */
  penalizacion_eur?: number | null;
  /** For leaving before the permanence ends, percent of the energy that is left by estimate. From 0 to 100. */
  penalizacion_pct?: number | null;
  /** For how many months its prices are fixed. From 1 to 120. */
  precio_fijo_meses?: number | null;
  /** Off its price of energy in the first `descuento_meses`, percent. From 0 to 100. */
  descuento_energia_pct?: number | null;
  /** Off its price of power in the first `descuento_meses`, percent. From 0 to 100. */
  descuento_potencia_pct?: number | null;
  /** For how many months it has its discounts. From 1 to 36. */
  descuento_meses?: number | null;
  /** Whether its energy is certified as renewable. */
  energia_verde?: boolean | null;
  /** Whether a change of regulated tolls changes its prices. */
  peajes_revisables?: boolean | null;
  /** What else the customer must do or have; told, never priced. 1 to 300 characters. */
  requisitos?: string | null;
};
/** Consumption of electricity by period. */
export type Energy = {
  /** Consumption in P1, kWh over the calculation period. */
  e1?: number;
  /** Consumption in P2, kWh over the calculation period. */
  e2?: number;
  /** Consumption in P3, kWh over the calculation period. */
  e3?: number;
  /** Consumption in P4, kWh over the calculation period. */
  e4?: number;
  /** Consumption in P5, kWh over the calculation period. */
  e5?: number;
  /** Consumption in P6, kWh over the calculation period. */
  e6?: number;
};
export type Question = OfferFilter & {
  /** `LUZ` is electricity, `GAS` is gas. */
  supply_type: "LUZ" | "GAS";
  /** Consumption of electricity by period. */
  energia?: Energy;
  /** Contracted power by period. */
  potencia?: {
    /** Contracted power in P1, kW. */
    p1?: number;
    /** Contracted power in P2, kW. */
    p2?: number;
    /** Contracted power in P3, kW. */
    p3?: number;
    /** Contracted power in P4, kW. */
    p4?: number;
    /** Contracted power in P5, kW. */
    p5?: number;
    /** Contracted power in P6, kW. */
    p6?: number;
  };
  /** Consumption of gas in kWh over the calculation period. */
  consumo_gas?: number;
  /** Energy exported, in kWh over the calculation period. */
  excedentes?: number;
  /** Consumption and surplus by parts of the period, such as calendar months: 1 to 36. In a question its sums are the consumption, `excedentes` and `dias`, which may be left out. */
  perfil?: {
    /** The month of the year, 1 to 12: indexed offers apply the prices of that month. */
    mes?: number;
    /** Days of the entry; of a curve those that the file has. */
    dias: number;
    /** Consumption of electricity by period. */
    energia?: Energy;
    /** Energy exported in the entry, in kWh: credited up to what its energy costs. */
    excedentes?: number;
    /** Consumption of gas in the entry, in kWh. */
    consumo_gas?: number;
  }[];
  /** Days of the calculation period: count for power and for the annual consumption. */
  dias?: number;
  /** Months of the calculation period: count for what is paid monthly. */
  meses?: number;
  /** The month whose prices apply, `YYYY-MM` or any day of it. Left out, indexed offers apply the mean of up to 12 months. */
  mes?: string;
  /** The day of signature: offers not valid on it are excluded. */
  fecha_firma?: string;
  /** Margin on energy, EUR/MWh. */
  fee_energia?: number;
  /** Margin shown with the power, EUR/MWh; electricity only. */
  fee_potencia?: number;
  /** EUR/MWh of balancing services billed apart. */
  ssaa_eur_mwh?: number;
  /** The weight: 1 looks at savings only, 0 at commission only. 0.5 when left out, 1 without `commissions:read`. */
  w?: number;
  /** EUR of the annual cost of the customer for one EUR of commission, 0 to 100, in place of w. Above 0 it needs `commissions:read`. */
  tolerancia?: number;
  /** What the customer pays today: before tax prices in the units of an offer or `coste_total`, with taxes `factura_total`. Of an invoice null unless they are fixed, and each that the question needs is known. */
  contrato_actual?: {
    /** Price of energy in P1, EUR/kWh. */
    e1?: number;
    /** Price of energy in P2, EUR/kWh. */
    e2?: number;
    /** Price of energy in P3, EUR/kWh. */
    e3?: number;
    /** Price of energy in P4, EUR/kWh. */
    e4?: number;
    /** Price of energy in P5, EUR/kWh. */
    e5?: number;
    /** Price of energy in P6, EUR/kWh. */
    e6?: number;
    /** Price of power in P1, EUR/kW and day. */
    p1?: number;
    /** Price of power in P2, EUR/kW and day. */
    p2?: number;
    /** Price of power in P3, EUR/kW and day. */
    p3?: number;
    /** Price of power in P4, EUR/kW and day. */
    p4?: number;
    /** Price of power in P5, EUR/kW and day. */
    p5?: number;
    /** Price of power in P6, EUR/kW and day. */
    p6?: number;
    /** Price of gas, EUR/kWh. */
    gas_energy?: number;
    /** Fixed term of gas, EUR/month. */
    gas_fixed?: number;
    /** Extra services, EUR/month; left out: none. */
    services_cost?: number;
    /** What exported energy is worth today, EUR/kWh; left out: nothing. */
    precio_excedentes?: number;
    /** What the present contract costs in EUR over the calculation period, before tax. */
    coste_total?: number;
    /** What the customer pays in EUR over the calculation period, with taxes; only beside `impuestos`. */
    factura_total?: number;
    /** The offer that the customer has. */
    offer_id?: number;
    /** Whether it is the last-resort tariff of gas (TUR); left out: no. */
    es_tur?: boolean;
    /** Whether the customer has the social bonus of electricity; left out: no. */
    bono_social?: boolean;
  };
  /** Asks for bills with taxes; needs territory. */
  impuestos?: {
    /** The day on which the bills fall due. */
    fecha: string;
    /** A dwelling (IGIC); default: client_type `dni`. */
    vivienda?: boolean;
    /** The use of electricity; default: `industrial` for 6.x. */
    uso?: "general" | "industrial";
    /** The use of gas; default `general`. */
    uso_gas?: "general" | "profesional";
    /** Reduced VAT at any power. */
    vulnerable_severo?: boolean;
    /** The regulated rental of the meter, or EUR a month; default 0. */
    alquiler?: ("monofasico" | "trifasico") | number;
    /** Whether the social bonus is billed beside the prices; default true. */
    financiacion_bono?: boolean;
    /** Whether that bears electricity tax; default true. */
    bono_en_iee?: boolean;
    /** Excess of power, reactive energy, EUR over the period. */
    otros?: {
      /** With electricity tax, EUR. */
      con_iee?: number;
      /** Without it, EUR. */
      sin_iee?: number;
    };
    /** Rates in place of those of the law. */
    tipos?: {
      /** Electricity tax, %. */
      iee?: number;
      /** VAT, IGIC or IPSI, %. */
      indirecto?: number;
      /** Of services, %. */
      indirecto_servicios?: number;
      /** Of gas, EUR/kWh. */
      hidrocarburos?: number;
      /** EUR a year. */
      bono_social?: number;
    };
  };
  /** The retailer's name; in questions a part, any case. */
  company_name?: string;
  /** An energy retailer. */
  company_id?: number;
  /** Whether balancing services are inside the price (true) or billed apart (false). */
  ssaa_included?: boolean;
  /** For customers with solar panels. */
  placas_solares?: boolean;
};
/** Consumption of electricity by period. */
export type CurveEnergy = {
  /** Consumption in P1, kWh over the calculation period. */
  e1: number;
  /** Consumption in P2, kWh over the calculation period. */
  e2: number;
  /** Consumption in P3, kWh over the calculation period. */
  e3: number;
  /** Consumption in P4, kWh over the calculation period. */
  e4?: number;
  /** Consumption in P5, kWh over the calculation period. */
  e5?: number;
  /** Consumption in P6, kWh over the calculation period. */
  e6?: number;
};
export type Warning = {
  /** What it is about, for machines. */
  codigo: "sin_potencia" | "peaje_imposible" | "peajes_mezclados" | "peaje_en_el_limite" | "gas_capacidad" | "consumo_en_un_periodo" | "potencia_en_un_periodo" | "consumo_improbable" | "potencia_decreciente" | "potencia_bajo_regulado" | "penalizacion_sobre_el_limite" | "descuento_temporal" | "ssaa_mezclados" | "historico_corto" | "historico_antiguo" | "historico_sin_actualizar" | "ventanas_distintas" | "periodo_incoherente" | "excedentes_tope_anual" | "bono_social" | "salir_de_la_tur" | "indexada_sin_curva" | "solo_con_placas" | "placas_sin_excedentes" | "sin_filtro_territorio" | "sin_filtro_cliente" | "terminos_desconocidos" | "fee_power_sin_efecto" | "actual_improbable" | "menos_de_un_ano" | "alcance_actual" | "peaje_sin_ofertas" | "sin_ofertas" | "alquiler_sin_indicar" | "bono_sin_dato" | "tipo_por_confirmar" | "orden_distinto_con_impuestos";
  /** The same for people, in Spanish. */
  mensaje: string;
  /** How many offers it is about; 0 where it is about the request. */
  total: number;
  /** The offers it is about, the first 50 by id; none where it is about the request. */
  offer_ids: number[];
  /** Only of `ssaa_mezclados`: the most EUR/MWh that balancing services may cost before another offer is the cheapest; null where none would be. */
  umbral_eur_mwh?: number | null;
};
export type NamedOffer = {
  offer_id: number;
  offer_name: string;
  /** The retailer's name; in questions a part, any case. */
  company_name: string;
  /** Whether it belongs to the shared catalog. */
  is_catalog: boolean;
};
/** The offer with the best nota. */
export type ExtraOfYear = {
  offer_id: number;
  /** Cost beyond that of the cheapest offer, in EUR of 365 days. */
  coste_extra_anual: number;
  /** Commission beyond that of the cheapest offer, in EUR per contract-year. Null without `commissions:read`. */
  comision_extra: number;
};
export type RankingSummary = {
  /** The weight: 1 looks at savings only, 0 at commission only. 0.5 when left out, 1 without `commissions:read`. */
  w: number;
  /** Days of the calculation period: count for power and for the annual consumption. */
  dias: number;
  /** Months of the calculation period: count for what is paid monthly. */
  meses: number;
  /** The day of signature: offers not valid on it are excluded. Only where it was sent. */
  fecha_firma?: string;
  /** How many offers cannot be priced, or are not for the customer. */
  excluded_count: number;
  /** The first offer at w = 1. */
  mas_barata_id: number | null;
  /** The first offer at the weight used. */
  mas_eficiente_id: number | null;
  /** The offer with the lowest bill; only with a bill. */
  mas_barata_factura_id?: number | null;
  /** Only where bills were asked for. */
  impuestos?: {
    /** The day of the rates. */
    fecha: string;
    /** The rates of the law that were used. */
    tipos: {
      /** What the rate is of. */
      concepto: "impuesto_electrico" | "impuesto_electrico_minimo" | "iva" | "igic" | "ipsi" | "hidrocarburos" | "financiacion_bono" | "alquiler";
      /** To what it applies. */
      aplica: "general" | "reducido" | "vivienda" | "servicios" | "industrial" | "profesional" | "monofasico" | "trifasico";
      /** %, or EUR/MWh, EUR/kWh, EUR a month or a year. */
      valor: number;
      unidad: "%" | "EUR/MWh" | "EUR/kWh" | "EUR/año" | "EUR/mes";
      /** First day. */
      desde: string;
      /** Last day; null: it holds until the law changes. */
      hasta: string | null;
      /** The law. */
      norma: string;
      /** Its text. */
      url: string | null;
      /** Whether the text of the law was read for every day. */
      seguro: boolean;
    }[];
  };
  /** What the present contract costs; null where none was sent. */
  actual: PresentCost | null;
  /** Only where the offer of `contrato_actual.offer_id` has no cost: why. */
  actual_codigo?: "fuera_de_vigencia" | "fuera_de_limites" | "sin_historico" | "sin_mes" | "sin_precio_energia" | "sin_precio_potencia" | "sin_precio_gas";
};
export type PresentCost = {
  /** EUR over the calculation period before tax; null beside `factura_total`. */
  cost: {
    /** Energy with its fee, in EUR over the period. */
    energia: number | null;
    /** Power with its fee, in EUR over the period. */
    potencia: number | null;
    /** Fixed term of gas, in EUR over the period. */
    fijo: number | null;
    /** Credit for exported energy, 0 or negative, in EUR over the period. */
    excedentes: number | null;
    /** Extra services, in EUR over the period. */
    servicios: number | null;
    /** Balancing services, only with `ssaa_eur_mwh` and an offer that bills them apart, in EUR over the period. */
    ssaa?: number;
    /** The sum, in EUR over the period: what is compared. */
    total: number;
  } | null;
  /** Its bill; null where its parts are not known. */
  factura_estimada?: {
    /** Energy with its fee, in EUR over the period. */
    energia: number;
    /** Power with its fee, in EUR over the period. */
    potencia: number;
    /** Fixed term of gas, in EUR over the period. */
    fijo: number;
    /** Credit for exported energy, 0 or negative, in EUR over the period. */
    excedentes: number;
    /** Financing of the social bonus, in EUR over the period. */
    financiacion_bono_social: number;
    /** Other lines that bear electricity tax, in EUR over the period. */
    otros_con_iee: number;
    /** What the electricity tax is a share of; no part of the total, in EUR over the period. */
    base_impuesto_electrico: number;
    /** Electricity tax, in EUR over the period. */
    impuesto_electrico: number;
    /** Hydrocarbons tax of gas, in EUR over the period. */
    impuesto_hidrocarburos: number;
    /** Rental of the meter, in EUR over the period. */
    alquiler: number;
    /** Other lines that bear no electricity tax, in EUR over the period. */
    otros_sin_iee: number;
    /** Extra services, in EUR over the period. */
    servicios: number;
    /** VAT, IGIC or IPSI, in EUR over the period. */
    impuesto_indirecto: number;
    /** What the customer pays, in EUR over the period. */
    total: number;
  } | null;
};
export type CommissionFigures = {
  /** By consumption, in EUR per contract-year. */
  energia: number;
  /** By power, in EUR per contract-year. */
  potencia: number;
  /** The sum, in EUR per contract-year. */
  total: number;
};
export type ExpectedCommission = {
  /** What the consumption pays. */
  consumption_commission: {
    /** EUR per contract-year. */
    value: number;
    /** `fixed` or `per_mwh`; in a power tier `fixed` or `per_kw`. */
    commission_type: "fixed" | "per_mwh";
    /** The tier that gave the amount; null: none matched. */
    matched_tier: {
      /** MWh per year, included. */
      consumption_from: number;
      /** MWh per year, included; null is open. */
      consumption_to: number | null;
    } | null;
  };
  /** What the power pays: 0 for gas, where no power was given and where no tier matches. */
  power_commission: {
    /** EUR per contract-year. */
    value: number;
    /** `fixed` or `per_mwh`; in a power tier `fixed` or `per_kw`. */
    commission_type: ("fixed" | "per_kw") | null;
    /** The tier that gave the amount; null: none matched. */
    matched_tier: {
      /** kW, included. */
      power_from: number;
      /** kW, included; null is open. */
      power_to: number | null;
    } | null;
  };
};
export type FileCounts = {
  /** Offers that are new: the rows of `ofertas` without an id. */
  created: number;
  /** Offers that existed: the rows of `ofertas` with an id, changed or not. */
  replaced: number;
  /** The rows of `borrar`. */
  deactivated: number;
  /** Retailers that did not exist under that name. */
  companies_created: number;
  /** The rows of `precios_indexados`. */
  prices_upserted: number;
  /** Changes that are allowed but rarely intended; for an upload nothing about tiers without `commissions:read`. */
  warnings: {
    code: "tiers_emptied" | "name_repeated" | "columna_ausente" | "peaje_desconocido" | "potencia_bajo_regulado" | "penalizacion_sobre_el_limite";
    message: string;
    sheet: "ofertas" | "precios_indexados" | "tramos_consumo" | "tramos_potencia" | "borrar";
    count: number;
    /** The first rows of `ofertas` that it is about. */
    rows: number[];
  }[];
};
export type RowError = {
  /** As the spreadsheet numbers it: the first one is 1, and the header counts. */
  row: number;
  sheet: string;
  offer_id?: number | null;
  catalog_offer_id?: number | null;
  error: string;
};
export type RecordCount = {
  /** How many there are in all. */
  total: number;
  active: number;
};
export type SupplyCount = RecordCount & {
  /** How many active offers are indexed. */
  indexed: number;
};
export type Figures = {
  /** EUR over the calculation period, without taxes and without the rental of the meter. */
  cost: {
    /** Energy with its fee, in EUR over the period. */
    energia: number;
    /** Power with its fee, in EUR over the period. */
    potencia: number;
    /** Fixed term of gas, in EUR over the period. */
    fijo: number;
    /** Credit for exported energy, 0 or negative, in EUR over the period. */
    excedentes: number;
    /** Extra services, in EUR over the period. */
    servicios: number;
    /** Balancing services, only with `ssaa_eur_mwh` and an offer that bills them apart, in EUR over the period. */
    ssaa?: number;
    /** The sum, in EUR over the period: what is compared. */
    total: number;
  };
  /** What cost.total is without its discount, in EUR over the period; only where some ranked offer has a discount, null for one without. */
  coste_sin_descuento?: number | null;
  /** What cost.total is twelve months later, in EUR over the period; only where some ranked offer has a discount, null for one without. */
  coste_segundo_anio?: number | null;
  /** EUR per contract-year, whatever the calculation period; null without `commissions:read`. */
  commission: CommissionFigures | null;
  /** The score, 0 to 10: price and commission weighed by w. */
  nota: number;
  /** 10 is the cheapest offer. */
  nota_precio: number;
  /** 10 is the best paid offer; null without `commissions:read`. */
  nota_comision: number | null;
  /** Cost beyond that of the cheapest offer, in EUR over the period. Null without `commissions:read`. */
  coste_extra: number | null;
  /** Commission beyond that of the cheapest offer, in EUR per contract-year. Null without `commissions:read`. */
  comision_extra: number | null;
  /** The commission by annual consumption, in EUR/MWh. Null without `commissions:read` and without consumption. */
  comision_eur_mwh: number | null;
  /** The estimated bill with taxes, in whole cents; only where bills were asked for. */
  factura_estimada?: {
    /** Energy with its fee, in EUR over the period. */
    energia: number;
    /** Power with its fee, in EUR over the period. */
    potencia: number;
    /** Fixed term of gas, in EUR over the period. */
    fijo: number;
    /** Credit for exported energy, 0 or negative, in EUR over the period. */
    excedentes: number;
    /** Financing of the social bonus, in EUR over the period. */
    financiacion_bono_social: number;
    /** Other lines that bear electricity tax, in EUR over the period. */
    otros_con_iee: number;
    /** What the electricity tax is a share of; no part of the total, in EUR over the period. */
    base_impuesto_electrico: number;
    /** Electricity tax, in EUR over the period. */
    impuesto_electrico: number;
    /** Hydrocarbons tax of gas, in EUR over the period. */
    impuesto_hidrocarburos: number;
    /** Rental of the meter, in EUR over the period. */
    alquiler: number;
    /** Other lines that bear no electricity tax, in EUR over the period. */
    otros_sin_iee: number;
    /** Extra services, in EUR over the period. */
    servicios: number;
    /** VAT, IGIC or IPSI, in EUR over the period. */
    impuesto_indirecto: number;
    /** What the customer pays, in EUR over the period. */
    total: number;
  };
  /** The bill beyond the lowest one, in EUR over the period; only with a bill. Null without `commissions:read`. */
  coste_extra_factura?: number | null;
  /** What the offer saves beside the present contract; null where none was sent. */
  ahorro: {
    /** EUR over the period, before tax; below 0 where the offer costs more. Null beside `factura_total`. */
    eur: number | null;
    /** The same over 365 days. */
    eur_anual: number | null;
    /** Of what is paid today, with 2 decimals; null where that is 0 or less. */
    porcentaje: number | null;
    /** EUR of the bill, with taxes; only with a bill. */
    factura?: number | null;
    /** Of the bill of today; only with a bill. */
    factura_porcentaje?: number | null;
  } | null;
  /** True where the customer cannot contract its access tariff, else absent; only without `tariff_type`. */
  peaje_imposible?: true;
};
