"""Names of `eagre` and methods of Tensor whose modules are imported when they are first used.
Those of operators come from their records (_operator_names.py)."""

# Functions and classes by module. `name=attribute` where the module has it under another name.
_FUNCTIONS = {
    "__config__": "show_config=show",
    "_checks": "_assert _check _check_index _check_is_size _check_not_implemented _check_type "
    "_check_value",
    "_asarray": "as_tensor asarray frombuffer scalar_tensor",
    "_dlpack": "from_dlpack to_dlpack",
    "_legacy_types": "BFloat16Tensor BoolTensor ByteTensor CharTensor ComplexDoubleTensor "
    "ComplexFloatTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor ShortTensor "
    "UInt16Tensor UInt32Tensor UInt64Tensor",
    "_finfo": "finfo iinfo",
    "_files.load": "load",
    "_files.save": "save",
    "_from_file": "from_file",
    "_paddle": "to_tensor",
    "_range": "range",
    "_tensor_attributes": "get_device is_conj is_distributed is_neg is_tensor resolve_conj "
    "resolve_neg typename",
    "_settings": "are_deterministic_algorithms_enabled compile get_deterministic_debug_mode "
    "get_float32_matmul_precision get_num_interop_threads "
    "is_deterministic_algorithms_warn_only_enabled set_anomaly_enabled "
    "set_default_tensor_type set_deterministic_debug_mode set_float32_matmul_precision "
    "set_flush_denormal set_num_interop_threads set_printoptions "
    "use_deterministic_algorithms",
    "_lu": "lu",
    "_shapes": "broadcast_shapes empty_permuted unravel_index",
    "storage": "is_storage TypedStorage UntypedStorage",
    "_view_copies": "alias_copy as_strided_copy detach_copy diagonal_copy expand_copy narrow_copy "
    "permute_copy select_copy slice_copy split_copy split_with_sizes_copy squeeze_copy t_copy "
    "transpose_copy unbind_copy unfold_copy unsqueeze_copy view_as_complex_copy "
    "view_as_real_copy view_copy",
}

_METHODS = {
    "array_api": "__array_namespace__=namespace_of to_device",
    "_pickle": "__deepcopy__=deep_copy __reduce_ex__=reduced __setstate__=set_state",
    "_asarray": "__array_wrap__=wrap_array __complex__=as_complex",
    "_dlpack": "__dlpack__=dlpack __dlpack_device__=dlpack_device",
    "_legacy_types": "new type",
    "_lu": "lu",
    "_old_operators": "__div__=divide __idiv__=divide_in_place __long__=as_int __nonzero__=as_bool "
    "__rdiv__=divide_reflected",
    "_paddle": "clear_grad=clear_gradient clear_gradient gradient place retain_grads strides",
    "_tensor_attributes": "apply_ cuda dim_order get_device is_conj is_cpu is_cuda is_distributed "
    "is_hpu is_meta is_mkldnn is_mps is_neg is_nested is_pinned is_quantized is_sparse "
    "is_sparse_csr is_xla is_xpu layout map_ map2_ _fix_weakref=fix_weakref pin_memory "
    "resize_as_ resolve_conj resolve_neg to_dense to_sparse",
    "_shapes": "__reversed__=reverse adjoint split_with_sizes",
    "storage": "is_set_to is_shared set_ share_memory_ storage storage_type untyped_storage",
    "_unsupported": "__dir__=names_of_tensor",
    "_view_copies": "narrow_copy",
}

# Functions f(x, …) that are the methods of Tensor of these names.
_OF_METHODS = "adjoint detach detach_ is_inference resize_as_ split_with_sizes"

# Modules that are imported when asked for as attributes.
_MODULES = (
    "_VF __config__ __future__ accelerator array_api backends compiler cuda functional linalg "
    "multiprocessing optim return_types safetensors serialization special storage testing types "
    "utils version viz"
)


def _places(table):
    places = {}
    for module, names in table.items():
        for name in names.split():
            name, _, attribute = name.partition("=")
            places[name] = (f"eagre.{module}", attribute or name)
    return places


FUNCTIONS = _places(_FUNCTIONS)
METHODS = _places(_METHODS)
OF_METHODS = frozenset(_OF_METHODS.split())
MODULES = frozenset(_MODULES.split())
