// labelrank._native: the compiled kernels, one file each.
#include "arrays.hpp"

namespace labelrank {
void bind_top(nb::module_&);
void bind_judge(nb::module_&);
void bind_ordered(nb::module_&);
void bind_sparse_text(nb::module_&);
void bind_cosine(nb::module_&);
void bind_files(nb::module_&);
void bind_group_values(nb::module_&);
void bind_top_one(nb::module_&);
void bind_rlsep(nb::module_&);
void bind_pair_hinge(nb::module_&);
void bind_most_violated(nb::module_&);
void bind_lambdas(nb::module_&);
void bind_simplex(nb::module_&);
void bind_network(nb::module_&);
void bind_lanes(nb::module_&);
void bind_meta_level_dense(nb::module_&);
void bind_meta_level_sparse(nb::module_&);
void bind_cuts(nb::module_&);
void bind_ada_rank(nb::module_&);
void bind_rank_boost(nb::module_&);
void bind_genetic(nb::module_&);
void bind_nearest_l2_dense(nb::module_&);
void bind_nearest_l2_sparse(nb::module_&);
void bind_forest(nb::module_&);
void bind_dual_descent(nb::module_&);
void bind_rank_linear(nb::module_&);
void bind_cluster(nb::module_&);
void bind_label_trees(nb::module_&);
void bind_ndcg_partition(nb::module_&);
void bind_l1_logistic(nb::module_&);
void bind_grow_xml_tree(nb::module_&);
void bind_xml_forest(nb::module_&);
void bind_tail_labels(nb::module_&);
void bind_neighbour_votes(nb::module_&);
void bind_porter(nb::module_&);
void bind_rules(nb::module_&);
void bind_tag_relevance(nb::module_&);
}  // namespace labelrank

NB_MODULE(_native, m) {
  // Models that live until the interpreter ends are no leak worth a warning.
  nanobind::set_leak_warnings(false);
  m.doc() = "Kernels of labelrank: plain functions over arrays, one thread each, GIL released.";
  labelrank::bind_top(m);
  labelrank::bind_judge(m);
  labelrank::bind_ordered(m);
  labelrank::bind_sparse_text(m);
  labelrank::bind_cosine(m);
  labelrank::bind_files(m);
  labelrank::bind_group_values(m);
  labelrank::bind_top_one(m);
  labelrank::bind_rlsep(m);
  labelrank::bind_pair_hinge(m);
  labelrank::bind_most_violated(m);
  labelrank::bind_lambdas(m);
  labelrank::bind_simplex(m);
  labelrank::bind_network(m);
  labelrank::bind_lanes(m);
  labelrank::bind_meta_level_dense(m);
  labelrank::bind_meta_level_sparse(m);
  labelrank::bind_cuts(m);
  labelrank::bind_ada_rank(m);
  labelrank::bind_rank_boost(m);
  labelrank::bind_genetic(m);
  labelrank::bind_nearest_l2_dense(m);
  labelrank::bind_nearest_l2_sparse(m);
  labelrank::bind_forest(m);
  labelrank::bind_dual_descent(m);
  labelrank::bind_rank_linear(m);
  labelrank::bind_cluster(m);
  labelrank::bind_label_trees(m);
  labelrank::bind_ndcg_partition(m);
  labelrank::bind_l1_logistic(m);
  labelrank::bind_grow_xml_tree(m);
  labelrank::bind_xml_forest(m);
  labelrank::bind_tail_labels(m);
  labelrank::bind_neighbour_votes(m);
  labelrank::bind_porter(m);
  labelrank::bind_rules(m);
  labelrank::bind_tag_relevance(m);
}
